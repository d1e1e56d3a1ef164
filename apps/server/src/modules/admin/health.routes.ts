import { ServiceHealthReply } from '@dct/api-contract/operations'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { jobQueues } from '../../platform/database/jobs.ts'
import { loopReports } from '../../platform/loops/loop-reports.ts'
import { chainFacts } from '../chain/index.ts'

export type HealthRoutesDeps = { db: Db; clock: Clock; realClock: Clock }

/** The state of the chain watchers, loops and job queues of all processes. */
export const healthRoutes: FastifyPluginAsyncTypebox<HealthRoutesDeps> = async (app, deps) => {
  const schema = { response: { 200: ServiceHealthReply } }
  app.get('/admin/health', { schema, config: { role: 'admin' } }, () => describeHealth(deps))
}

async function describeHealth({ db, clock, realClock }: HealthRoutesDeps) {
  const now = realClock.now()
  const [chains, loops, jobs] = await Promise.all([
    chainFacts(db),
    loopReports(db, now),
    jobQueues(db, clock.now()),
  ])
  return {
    chains: chains.map((facts) => ({
      chain: facts.chain,
      block: Number(facts.blockNumber),
      final_block: Number(facts.finalNumber),
      head_block: Number(facts.headNumber),
      blocks_behind: Math.max(0, Number(facts.finalNumber - facts.blockNumber)),
      block_at: facts.blockTime.toISOString(),
      looked_at: facts.observedAt.toISOString(),
      seconds_since_look: secondsBetween(facts.observedAt, now),
      is_halted: facts.isHalted,
    })),
    loops: loops.map((loop) => ({
      host: loop.host,
      name: loop.name,
      is_idle: loop.is_idle,
      failures: loop.failures,
      last_error: loop.last_error,
      reported_at: loop.reported_at.toISOString(),
      is_silent: loop.isSilent,
    })),
    jobs: jobs.map((job) => ({
      queue: job.queue,
      waiting: Number(job.waiting),
      due: Number(job.due),
      next_at: job.next_at?.toISOString() ?? null,
      attempts: job.attempts ?? 0,
      last_error: job.last_error,
    })),
  }
}

function secondsBetween(from: Date, to: Date): number {
  return Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1_000))
}
