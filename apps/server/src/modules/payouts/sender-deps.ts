import type { Hex } from 'viem'
import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type Clock, realClock } from '../../platform/clock.ts'
import type { Db, DbOrTx } from '../../platform/db.ts'
import type { Logger } from '../../platform/logger.ts'
import type { CrashPoint } from './crash-point.ts'
import type { OnPayoutFinal } from './finish-payout.ts'
import { type IntentRef, noteWaiting } from './intents.queries.ts'
import type { Chain } from './payouts.tables.ts'

/** Real milliseconds. Nodes have limits; a development chain has none and wants 0. */
export type SenderTiming = {
  /** Between two looks at the same transaction. */
  pollMs: number
  /** Before a payout that had to wait is tried again. */
  retryMs: number
  /** Between two broadcasts of the same bytes. */
  rebroadcastMs: number
  /** After this a BSC transaction that is not mined is replaced by one with a higher price. */
  replaceAfterMs: number
  /** How long a used nonce must stay without a receipt of ours before it counts as foreign. */
  suspectMs: number
}

export const LIVE_TIMING: SenderTiming = {
  pollMs: 3_000,
  retryMs: 15_000,
  rebroadcastMs: 30_000,
  replaceAfterMs: 30_000,
  suspectMs: 60_000,
}
export const DEVNET_TIMING: SenderTiming = {
  pollMs: 0,
  retryMs: 0,
  rebroadcastMs: 2_000,
  replaceAfterMs: 30_000,
  suspectMs: 1_000,
}

export type SenderDeps = {
  db: Db
  /** Business time: of bookings and alarms. */
  clock: Clock
  log: Logger
  timing: SenderTiming
  crashPoint: CrashPoint
  onFinal: OnPayoutFinal
}

/** Why a payout cannot go on now. It goes on by itself when that is over. */
export const WAIT_REASONS = {
  PAUSED: 'Payouts are paused in the contract.',
  NOT_VESTED: 'The reward contract does not pay this part yet.',
  NO_TOKEN: 'There is not enough of the token to pay with.',
  NO_TRX: 'The operator has not enough TRX or energy.',
  NO_BNB: 'The payout wallet has not enough BNB.',
  GAS_PRICE: 'The network asks for more than the highest price allowed.',
  SENDER_HELD: 'The sender is held until an admin has looked.',
  CHAIN_PAID_MORE: 'The contract has paid this stake more than our books know.',
  PAID_ON_CHAIN: 'The contract shows it as paid; its event is not read yet.',
  NODE_BEHIND: 'The node is behind what was already final.',
  BY_HAND: 'An admin pays this by hand.',
  REFUSED: 'A trial run of the payment fails.',
} as const
export type WaitReason = keyof typeof WAIT_REASONS

/** These end by themselves soon; nobody is to be called for them. */
const QUIET: readonly WaitReason[] = ['NOT_VESTED', 'PAID_ON_CHAIN', 'NODE_BEHIND']
const ALARM = 'payout.waiting'

/** Lets an intent wait, and calls the admins once for a reason that needs them. */
export async function waitFor(
  deps: SenderDeps,
  intent: IntentRef,
  wait: { chain: Chain; reason: WaitReason; detail: string },
): Promise<void> {
  const now = realClock.now()
  const at = deps.clock.now()
  const isNew = await noteWaiting(deps.db, intent, {
    reason: wait.reason,
    detail: wait.detail,
    at,
    retryAt: new Date(now.getTime() + deps.timing.retryMs),
  })
  if (!isNew) return
  deps.log.info({ ...describe(intent), reason: wait.reason, detail: wait.detail }, 'payoutWaiting')
  if (QUIET.includes(wait.reason)) return
  await raiseAlarm(deps.db, {
    kind: ALARM,
    subject: alarmSubject(wait.chain, wait.reason, intent),
    message: `${WAIT_REASONS[wait.reason]} ${wait.detail}`.trim(),
    at,
  })
}

/** An intent that goes on ends the alarm of what it waited for. */
export async function endWait(
  db: DbOrTx,
  intent: IntentRef,
  wait: { chain: Chain; reason: string | null; at: Date },
): Promise<void> {
  if (wait.reason === null) return
  const subject = alarmSubject(wait.chain, wait.reason, intent)
  await clearAlarm(db, { kind: ALARM, subject, at: wait.at })
}

const OF_ONE_INTENT: readonly string[] = ['REFUSED', 'CHAIN_PAID_MORE']

/** What concerns a whole chain is one alarm, however many payouts wait for it. */
function alarmSubject(chain: Chain, reason: string, intent: IntentRef): string {
  return OF_ONE_INTENT.includes(reason)
    ? `${chain}:${reason}:${intent.table}:${intent.id}`
    : `${chain}:${reason}`
}

export function describe(intent: IntentRef): { intent: string } {
  return { intent: `${intent.table}:${intent.id}` }
}

export type Pace = {
  /** True when `key` was not used for `everyMs`, and notes its use. */
  isDue(what: 'look' | 'send', key: Hex, everyMs: number): boolean
  /** True when something has been suspected for `ms`; the first call begins the suspicion. */
  isOlder(key: Hex, ms: number): boolean
  /** Ends a suspicion. */
  trust(key: Hex): void
  forget(key: Hex): void
}

/** Remembers in this process alone when what was done last; after a crash everything is due. */
export function createPace(): Pace {
  const last = { look: new Map<Hex, number>(), send: new Map<Hex, number>() }
  const suspectedSince = new Map<Hex, number>()
  return {
    isDue(what, key, everyMs) {
      const now = realClock.now().getTime()
      const before = last[what].get(key)
      if (before !== undefined && now - before < everyMs) return false
      last[what].set(key, now)
      return true
    },
    isOlder(key, ms) {
      const now = realClock.now().getTime()
      const since = suspectedSince.get(key) ?? now
      suspectedSince.set(key, since)
      return now - since >= ms
    },
    trust(key) {
      suspectedSince.delete(key)
    },
    forget(key) {
      last.look.delete(key)
      last.send.delete(key)
      suspectedSince.delete(key)
    },
  }
}
