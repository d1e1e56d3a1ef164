import type { Hex } from 'viem'
import { clearAlarm, hasOpenAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type Clock, msSince, realClock } from '../../platform/clock.ts'
import type { Db, Tx } from '../../platform/database/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { CrashPoint } from './crash-point.ts'
import type { OnPayoutFinal } from './finish-payout.ts'
import { type IntentRef, recordWaiting } from './intents.queries.ts'
import { waitReasons } from './operator-calls.ts'
import type { Chain } from './payouts.tables.ts'
import { isOfOneIntent, WAITING_ALARM, waitSubject } from './wait-alarms.ts'

/** Real milliseconds. Nodes limit requests; a development chain does not. */
export type SenderTiming = {
  /** Between two status checks of the same transaction. */
  pollMs: number
  /** Before a waiting payout is tried again. */
  retryMs: number
  /** Between two broadcasts of the same bytes. */
  rebroadcastMs: number
  /** A BSC transaction that is not mined after this time is replaced by one with a higher price. */
  replaceAfterMs: number
}

export const LIVE_TIMING: SenderTiming = {
  pollMs: 3_000,
  retryMs: 15_000,
  rebroadcastMs: 30_000,
  replaceAfterMs: 30_000,
}
export const DEVNET_TIMING: SenderTiming = {
  pollMs: 0,
  retryMs: 0,
  rebroadcastMs: 2_000,
  replaceAfterMs: 10_000,
}

export type SenderDeps = {
  db: Db
  /** Business time, for bookings and alarms. */
  clock: Clock
  log: Logger
  timing: SenderTiming
  crashPoint: CrashPoint
  onFinal: OnPayoutFinal
}

/** Why a payout cannot proceed now. It proceeds automatically once the reason is gone. */
export const WAIT_REASONS = {
  PAUSED: 'Payouts are paused in the contract.',
  NOT_VESTED: 'The reward contract does not pay this part yet.',
  NO_TOKEN: 'The token balance is too low for this payment.',
  NO_TRX: 'The operator does not have enough TRX or energy.',
  NO_BNB: 'The key that pays from the vault does not have enough BNB.',
  NO_CLAIM: 'There is no signed claim for this payment.',
  BEYOND_CLAIM:
    'The signed claim allows less than this payment: return the amount, so that it can be claimed again.',
  FOREIGN_OPERATOR: 'The vault is operated by another key.',
  GAS_PRICE: 'The network’s gas price is above the allowed maximum.',
  BOOKS_BEHIND: 'The chain has paid more than the books show; its events have not been read yet.',
  EVENTS_MISSING: 'Events of earlier payments have not been read yet.',
  NEARLY_DONE: 'The chain shows it as done; that is not final yet.',
  REVERTED: 'Its transactions failed.',
  HELD: 'It is held until an admin retries it:',
  AUDIT: 'The audit found a difference that concerns it.',
  CHAIN_HALTED: 'A final block of the chain was undone; an admin must end the halt.',
  NODE_BEHIND: 'The node is behind blocks that were already final.',
  TERMS_DIFFER: 'The plan was opened on chain with different terms.',
  TERMS_BEYOND_LIMITS: 'The terms of the plan are beyond what the contract’s owner allows.',
  SIGNER: 'The signer gave no signature.',
  CALL_NOT_ALLOWED: 'The key is not meant for this call.',
  DAY_LIMIT: 'The limit of the vault for one day leaves no room for this payment.',
  REFUSED: 'A trial run of the payment fails.',
} as const
export type WaitReason = keyof typeof WAIT_REASONS

/** These soon resolve themselves or raise their own alarm, so waiting for them raises none. */
const QUIET: readonly WaitReason[] = [
  'NOT_VESTED',
  'BOOKS_BEHIND',
  'EVENTS_MISSING',
  'NEARLY_DONE',
  'HELD',
  'AUDIT',
  'NODE_BEHIND',
  'CHAIN_HALTED',
]
/** Watchers read what a chain paid within moments. After this time it needs somebody's attention. */
const BOOKS_BEHIND_MS = 15 * 60_000

/** Makes an intent wait. Raises an alarm for each reason that needs an admin, unless it is open. */
export async function waitFor(deps: SenderDeps, intent: IntentRef, wait: Wait): Promise<void> {
  const now = realClock.now()
  const at = deps.clock.now()
  const retryAt = new Date(now.getTime() + (wait.retryMs ?? deps.timing.retryMs))
  const { reason, detail } = wait
  const since = await recordWaiting(deps.db, intent, { reason, detail, at, retryAt })
  if (since === undefined) deps.log.info({ ...describe(intent), reason, detail }, 'payoutWaiting')
  const isLate = reason === 'BOOKS_BEHIND' && msSince(since ?? at, at) > BOOKS_BEHIND_MS
  if (isLate || !QUIET.includes(reason)) await raiseWaiting(deps, intent, wait)
}

/**
 * Clears the alarms of reasons that concern a whole chain and that nothing waits for any more: whatever waited may have got
 * another reason since, or been held, or paid by somebody else.
 */
export async function endSharedWaits(
  db: Db | Tx,
  { chain, at }: { chain: Chain; at: Date },
): Promise<void> {
  if (!(await hasOpenAlarm(db, { kind: WAITING_ALARM, prefix: `${chain}:` }))) return
  const current = await waitReasons(db, chain)
  for (const reason of Object.keys(WAIT_REASONS)) {
    if (current.has(reason) || isOfOneIntent(reason)) continue
    const subject = `${chain}:${reason}`
    await clearAlarm(db, { kind: WAITING_ALARM, subject, at })
  }
}

type Wait = {
  chain: Chain
  reason: WaitReason
  detail: string
  /** Real milliseconds until it is tried again, if not the usual ones. */
  retryMs?: number
}

async function raiseWaiting(
  { db, clock }: SenderDeps,
  intent: IntentRef,
  { chain, reason, detail }: Wait,
): Promise<void> {
  await raiseAlarm(db, {
    kind: WAITING_ALARM,
    subject: waitSubject(chain, reason, intent),
    message: `${WAIT_REASONS[reason]} ${detail}`.trim(),
    at: clock.now(),
  })
}

export function describe(intent: IntentRef): { intent: string } {
  return { intent: `${intent.table}:${intent.id}` }
}

export type Pace = {
  /** True when the last use of `key` was at least `everyMs` ago; then records this use. */
  isDue(what: 'poll' | 'send', key: Hex, everyMs: number): boolean
  /** Records a use of `key`. */
  record(what: 'poll' | 'send', key: Hex): void
  forget(key: Hex): void
}

/** Keeps times in the memory of this process only; after a crash everything is due. */
export function createPace(): Pace {
  const last = { poll: new Map<Hex, number>(), send: new Map<Hex, number>() }
  const record: Pace['record'] = (what, key) => {
    last[what].set(key, performance.now())
  }
  return {
    isDue(what, key, everyMs) {
      const now = performance.now()
      const before = last[what].get(key)
      if (before !== undefined && now - before < everyMs) return false
      record(what, key)
      return true
    },
    record,
    forget(key) {
      last.poll.delete(key)
      last.send.delete(key)
    },
  }
}
