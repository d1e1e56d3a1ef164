import { FineReply, ProcessHealthReply } from '@dct/api-contract/status'
import { chainFacts } from '../../modules/chain/index.ts'
import { openAlarmCounts } from '../../platform/alarms/alarms.ts'
import { isMigrated } from '../../platform/database/migrate.ts'
import { Refusal } from '../../platform/errors.ts'
import type { App } from '../../platform/http/http.ts'
import type { LoopStatus } from '../../platform/loops/loop.ts'
import type { Context } from '../context.ts'

export type HealthDeps = { context: Context; version: string; loopStatus(): LoopStatus[] }

/**
 * GET /api/live: the process answers. GET /api/ready: it can serve calls, because the database answers and has the
 * schema of this version; a chain in trouble is no reason to send callers elsewhere. GET /api/health: 200 while calls
 * can be answered. Lag is reported, but is no reason to restart the process.
 */
export async function healthRoute(app: App, deps: HealthDeps): Promise<void> {
  const config = { role: 'public' } as const
  const isFine = { config, schema: { response: { 200: FineReply } } }
  app.get('/api/live', isFine, async () => ({ status: 'ok' as const }))
  app.get('/api/ready', isFine, async () => {
    if (!(await isMigrated(deps.context.db))) {
      const cause = new Error('the database does not have the schema of this version')
      throw new Refusal('UNAVAILABLE', {}, undefined, { cause })
    }
    return { status: 'ok' as const }
  })
  const health = { config, schema: { response: { 200: ProcessHealthReply } } }
  app.get('/api/health', health, async () => {
    const { db, clock, config: settings } = deps.context
    const [facts, alarmCounts] = await Promise.all([chainFacts(db), openAlarmCounts(db)])
    return {
      status: 'ok' as const,
      version: deps.version,
      mode: settings.mode,
      now: clock.now().toISOString(),
      chains: facts.map((chain) => ({
        chain: chain.chain,
        block: Number(chain.blockNumber),
        blocks_behind: Math.max(0, Number(chain.finalNumber - chain.blockNumber)),
        observed_at: chain.observedAt.toISOString(),
        is_halted: chain.isHalted,
      })),
      loops: deps
        .loopStatus()
        .map((loop) => ({ name: loop.name, is_idle: loop.isIdle, failures: loop.failures })),
      alarms: alarmCounts.reduce((sum, { count }) => sum + Number(count), 0),
    }
  })
}
