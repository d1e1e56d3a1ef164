import { alarmRule } from '@dct/api-contract/alarms'
import type { StatusReply } from '@dct/api-contract/status'
import { REWARD_SENT_WITHIN_HOURS } from '@dct/rules/constants'
import { openAlarmCounts } from '../../platform/alarms/alarms.ts'
import { businessDayOf, type Clock, startOfBusinessDay } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { loopReports } from '../../platform/loops/loop-reports.ts'
import { latestAudit } from '../audit/index.ts'
import { type ChainFacts, chainFacts } from '../chain/index.ts'
import { dailyRun } from '../earnings/index.ts'
import { payoutBacklog } from '../payouts/index.ts'
import { isPriceCurrent, latestPrice, type PriceAge } from '../pricing/index.ts'
import { openNotes } from './maintenance.ts'

export type StatusDeps = PriceAge & { db: Db; clock: Clock; realClock: Clock }

const CHAINS = ['TRON', 'BSC'] as const
const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
/** The chains are polled every few seconds, and every minute while no one is waiting. */
const SILENT_AFTER_MS = 3 * 60_000
/** A longer delay until final blocks are booked would be noticed by holders. */
const BEHIND_FROM_S = 120
/** A daily run takes minutes, however many holders there are. */
const RUN_LATE_AFTER_MS = HOUR_MS
/** One failure is usually a node that did not answer, and the next try succeeds. */
const FAILING_FROM = 3

/** The state of the service according to its own books and reports; the same for all clients. */
export async function readStatus(deps: StatusDeps): Promise<StatusReply> {
  const { db } = deps
  const now = deps.clock.now()
  const realNow = deps.realClock.now()
  const [chains, loops, run, audit, ages, price, alarms, notes] = await Promise.all([
    chainFacts(db),
    loopReports(db, realNow),
    dailyRun(db),
    latestAudit(db),
    payoutBacklog(db),
    latestPrice(db, now),
    openAlarmCounts(db),
    openNotes(db, realNow),
  ])
  const parts: Parts = {
    chains: chains.map((facts) => describeChain(facts, realNow)),
    background_work: workOf(loops),
    daily_run: run === undefined ? null : describeRun(run, now),
    last_audit: audit
      ? { finished_at: audit.finishedAt.toISOString(), is_green: audit.differences === 0 }
      : null,
    payouts: CHAINS.map((chain) => {
      const open = ages.find((one) => one.chain === chain)
      const isLate =
        open !== undefined && ageMs(open.oldestAt, now) > REWARD_SENT_WITHIN_HOURS * HOUR_MS
      return {
        chain,
        waiting: open?.count ?? 0,
        oldest_at: open?.oldestAt.toISOString() ?? null,
        is_late: isLate,
      }
    }),
    price: {
      at: price?.at.toISOString() ?? null,
      is_current: price !== undefined && isPriceCurrent(deps, price, now),
    },
    notes,
    are_operators_alerted: alarms.some(({ kind }) => alarmRule(kind).severity === 'critical'),
  }
  return { at: now.toISOString(), is_well: isWell(parts), ...parts }
}

type Parts = Omit<StatusReply, 'at' | 'is_well'>

function isWell(parts: Parts): boolean {
  return (
    CHAINS.every((chain) =>
      parts.chains.some((read) => read.chain === chain && read.state === 'current'),
    ) &&
    parts.background_work === 'running' &&
    parts.daily_run?.is_late !== true &&
    parts.last_audit?.is_green !== false &&
    parts.payouts.every((payout) => !payout.is_late) &&
    parts.price.is_current &&
    !parts.are_operators_alerted
  )
}

function describeChain(facts: ChainFacts, realNow: Date): StatusReply['chains'][number] {
  // Both are times of the chain, so neither our clock nor the node's can distort the difference.
  const seconds_behind = secondsOf(ageMs(facts.blockTime, facts.finalTime))
  const sinceLookMs = ageMs(facts.observedAt, realNow)
  return {
    chain: facts.chain,
    state: facts.isHalted
      ? 'halted'
      : sinceLookMs > SILENT_AFTER_MS
        ? 'silent'
        : seconds_behind > BEHIND_FROM_S
          ? 'behind'
          : 'current',
    seconds_behind,
    seconds_since_look: secondsOf(sinceLookMs),
  }
}

function workOf(
  loops: readonly { isSilent: boolean; failures: number }[],
): Parts['background_work'] {
  const isAtWork = loops.map((loop) => !loop.isSilent && loop.failures < FAILING_FROM)
  if (!isAtWork.includes(true)) return 'stopped'
  return isAtWork.includes(false) ? 'partly' : 'running'
}

function describeRun(run: NonNullable<Awaited<ReturnType<typeof dailyRun>>>, now: Date) {
  const today = businessDayOf(now)
  const isLate = run.throughDay < today && ageMs(startOfBusinessDay(today), now) > RUN_LATE_AFTER_MS
  return {
    through_day: run.throughDay,
    ran_at: run.ranAt?.toISOString() ?? null,
    is_late: isLate,
  }
}

function ageMs(from: Date, to: Date): number {
  return Math.max(0, to.getTime() - from.getTime())
}

function secondsOf(ms: number): number {
  return Math.floor(ms / SECOND_MS)
}
