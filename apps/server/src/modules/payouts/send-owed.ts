import type { FinalReceipt, Receipt } from '@dct/chain-clients'
import { realClock } from '../../platform/clock.ts'
import { type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import {
  type AccountKey,
  advanceOf,
  noteTry,
  type PayoutAccount,
  readAccount,
} from './accounts.queries.ts'
import { expireAttempt, pauseAfterRevert } from './attempt-fate.ts'
import { type BookDeps, chargeAdvance, settleCovered } from './book-payment.ts'
import { getPayouts, type Payout } from './create-payout.ts'
import { waitWhileHalted } from './halted-chain.ts'
import { haltOf } from './hold-payouts.ts'
import {
  type Attempt,
  countLive,
  HELD,
  type IntentRef,
  isRetryDue,
  liveAttempts,
  type Statement,
} from './intents.queries.ts'
import { type Chain, OPEN_STATES, own } from './payouts.tables.ts'
import {
  createPace,
  describe,
  endSharedWaits,
  type Pace,
  type SenderDeps,
  type WaitReason,
  waitFor,
} from './sender-deps.ts'
import { type SigningSteps, signOnce } from './sign-outside.ts'

/** A payment that is due: the next payout of an account, and what its transaction has to state. */
export type Owed = Statement & { account: PayoutAccount; payout: Payout }

export type Readiness<C> =
  | { kind: 'ready'; call: C }
  | { kind: 'wait'; reason: WaitReason; detail: string }
  /** Nothing has to be sent any more, and that is booked. */
  | { kind: 'done' }

/** Something else that the sender's key signs, such as opening a plan. */
export type OtherCall<C> = { intent: IntentRef; readiness(): Promise<Readiness<C>> }

/** What differs between the chains: how totals are read, and by which means a transaction reaches a block. */
export type ChainAdapter<C, M, N extends number | null> = {
  chain: Chain
  /** The address whose key signs. */
  sender: `0x${string}`
  mostInFlight: number
  /** How much less often than usual transactions are looked at. */
  pollFactor: number
  /** What the chain has paid to an account, in its newest final block. */
  readTotal(account: AccountKey): Promise<bigint>
  /** Whether the payment can be made now, and the call that makes it. */
  prepare(owed: Owed): Promise<Readiness<C>>
  /** Other calls that are due. */
  others(limit: number): Promise<OtherCall<C>[]>
  /** Read once for each round: prices, balances, and whatever else signing needs. */
  readMeans(): Promise<M>
  /** What the sender lacks for this call while so many others are in flight; undefined if nothing. */
  lackOf(
    means: M,
    call: C,
    inFlight: number,
  ): Promise<{ reason: WaitReason; detail: string } | undefined>
  signing(call: C, means: M): SigningSteps<N>
  broadcast(raw: Uint8Array): Promise<object>
  receipt(hash: `0x${string}`): Promise<Receipt>
  /** Called when a final transaction of a call that is not a payment succeeded. */
  endOther(attempt: Attempt, receipt: FinalReceipt): Promise<void>
  /**
   * Called for a transaction that is in no block: proof that it can never be, or undefined. May replace it by one that
   * states the same.
   */
  keepAlive(attempt: Attempt): Promise<Record<string, unknown> | undefined>
}

/** Real time. Means are read at the start of a round, so a slow signer cuts it short. */
const ROUND_MS = 60_000
const ADVANCES_AT_ONCE = 20

/**
 * Pays what a chain's accounts are owed. For each account, least recently tried first: if the chain's final total is what
 * the books say, a transaction is signed that adds the next payout to exactly that total; otherwise the events of what
 * was paid are awaited. So nothing can be paid twice, whichever transaction is mined, and it does not matter what became
 * of any other. Bytes are stored before they are sent. Payouts become final by the events, see `bookPayment`. Several
 * senders may run at the same time.
 */
export function createSender<C, M, N extends number | null>(
  deps: SenderDeps & BookDeps,
  adapter: ChainAdapter<C, M, N>,
): Loop {
  const { chain } = adapter
  const sender = { deps, adapter, pace: createPace() }
  return {
    name: `${chain.toLowerCase()}-sender`,
    async step() {
      if (await waitWhileHalted(deps, chain)) return true
      const hasObserved = await observe(sender)
      const hasCharged = await chargeAdvances(deps, chain)
      const hasLaunched = await launch(sender)
      await endSharedWaits(deps.db, { chain, at: deps.clock.now() })
      return !hasObserved && !hasCharged && !hasLaunched
    },
  }
}

type Sender<C, M, N extends number | null> = {
  deps: SenderDeps & BookDeps
  adapter: ChainAdapter<C, M, N>
  pace: Pace
}

/** Follows every transaction that is neither final nor out of time. True when one was decided. */
async function observe<C, M, N extends number | null>(sender: Sender<C, M, N>): Promise<boolean> {
  const { deps, adapter, pace } = sender
  let hasDecided = false
  for (const attempt of await liveAttempts(deps.db, { chain: adapter.chain })) {
    if (!pace.isDue('poll', attempt.hash, deps.timing.pollMs * adapter.pollFactor)) continue
    if (!(await decide(sender, attempt))) continue
    pace.forget(attempt.hash)
    hasDecided = true
  }
  return hasDecided
}

async function decide<C, M, N extends number | null>(
  { deps, adapter, pace }: Sender<C, M, N>,
  attempt: Attempt,
): Promise<boolean> {
  const { hash: txHash, intent } = attempt
  const status = await adapter.receipt(txHash)
  if (status.kind !== 'unknown') deps.crashPoint('after-mined')
  if (status.kind === 'final') {
    const { failure, blockNumber } = status
    if (failure !== null) {
      await expireAttempt(deps, attempt, { kind: 'reverted', failure, blockNumber, txHash })
      await pauseAfterRevert(deps, attempt, failure)
      return true
    }
    // A payment's event ends its payout.
    if (intent.table === 'payout') return false
    await adapter.endOther(attempt, status)
    return true
  }
  if (status.kind === 'mined') return false
  const proof = await adapter.keepAlive(attempt)
  if (proof !== undefined) {
    await expireAttempt(deps, attempt, { kind: 'expired', proof })
    return true
  }
  if (pace.isDue('send', txHash, deps.timing.rebroadcastMs)) await adapter.broadcast(attempt.raw)
  return false
}

/** Signs and sends what is due. True when something was signed or ended. */
async function launch<C, M, N extends number | null>(sender: Sender<C, M, N>): Promise<boolean> {
  const { deps, adapter } = sender
  const begun = realClock.now()
  let inFlight = await countLive(deps.db, adapter.chain, adapter.sender)
  const room = adapter.mostInFlight - inFlight
  if (room <= 0) return false
  const others = await adapter.others(room)
  const query = { chain: adapter.chain, now: begun, limit: room - others.length }
  const due = await duePayments(deps.db, query)
  if (others.length + due.length === 0) return false
  const means = await adapter.readMeans()
  let hasDone = false
  const jobs = [
    ...others.map((other) => ({ ...other, owed: null })),
    ...due.map((owed) => paymentJob(sender, owed)),
  ]
  for (const job of jobs) {
    const result = await tryOne(sender, job, { means, inFlight })
    if (result === 'signed') inFlight += 1
    hasDone ||= result === 'signed' || result === 'done'
    // The others would wait for the same signer.
    if (result === 'noSignature' || realClock.now().getTime() - begun.getTime() > ROUND_MS) break
  }
  return hasDone
}

type Job<C> = OtherCall<C> & { owed: Due | null }

function paymentJob<C, M, N extends number | null>(sender: Sender<C, M, N>, owed: Due): Job<C> {
  const intent = { table: 'payout', id: owed.payout.id } as const
  return { intent, owed, readiness: () => paymentReadiness(sender, owed) }
}

/** Compares an account with the chain before anything is signed for it. */
async function paymentReadiness<C, M, N extends number | null>(
  { deps, adapter }: Sender<C, M, N>,
  owed: Due,
): Promise<Readiness<C>> {
  const { account, payout } = owed
  await noteTry(deps.db, account.id, realClock.now())
  if (advanceOf(account) >= payout.amount) {
    const isSettled = await inTransaction(deps.db, (tx) => settleCovered(deps, tx, account))
    return isSettled ? { kind: 'done' } : wait('EVENTS_MISSING')
  }
  if (account.unread > 0n) return wait('EVENTS_MISSING', `${account.unread} base units.`)
  const halt = await haltOf(deps.db, payout.id)
  if (halt !== undefined) return wait('AUDIT', halt)
  const total = await adapter.readTotal(account)
  if (total > account.paid) {
    return wait('BOOKS_BEHIND', `Paid on chain: ${total}; booked: ${account.paid}.`)
  }
  owed.states = statementOf(owed, total)
  return adapter.prepare({ account, payout, ...owed.states })
}

async function tryOne<C, M, N extends number | null>(
  { deps, adapter, pace }: Sender<C, M, N>,
  { intent, owed, readiness }: Job<C>,
  { means, inFlight }: { means: M; inFlight: number },
): Promise<'signed' | 'done' | 'waits' | 'noSignature'> {
  const { chain, sender } = adapter
  const ready = await readiness()
  if (ready.kind === 'done') return 'done'
  if (ready.kind === 'wait') {
    await waitFor(deps, intent, { chain, ...ready })
    return 'waits'
  }
  const lack = await adapter.lackOf(means, ready.call, inFlight)
  if (lack !== undefined) {
    await waitFor(deps, intent, { chain, ...lack })
    return 'waits'
  }
  const steps = adapter.signing(ready.call, means)
  const target = { intent, chain, sender, states: owed?.states ?? null }
  const outcome = await signOnce<N>(deps, target, {
    ...steps,
    async lockNonce(tx) {
      const isAsRead = owed === null || (await isUnchanged(tx, owed.account))
      return isAsRead ? steps.lockNonce(tx) : undefined
    },
  })
  if (outcome.kind !== 'stored') return outcome.kind === 'notNow' ? 'waits' : 'noSignature'
  const { attempt } = outcome
  pace.record('send', attempt.hash)
  const answer = await adapter.broadcast(attempt.raw)
  deps.log.info({ ...describe(intent), hash: attempt.hash, ...answer }, 'payoutBroadcast')
  deps.crashPoint('after-broadcast')
  return 'signed'
}

const wait = (reason: WaitReason, detail = '') => ({ kind: 'wait', reason, detail }) as const

/** An account's next payout, and what its transaction states once the chain was read. */
type Due = { account: PayoutAccount; payout: Payout; states: Statement | null }

/**
 * The next payout adds what the account was not paid ahead. If the chain shows less than the books, a payment was undone
 * after it was final, and is made again first.
 */
function statementOf({ account, payout }: Due, total: bigint): Statement {
  const undone = account.paid - total
  const amount = undone > 0n ? undone : payout.amount - advanceOf(account)
  return { paidBefore: total, amount }
}

/** Accounts whose next payout waits and is due, least recently tried first, with that payout. */
async function duePayments(
  db: DbOrTx,
  { chain, now, limit }: { chain: Chain; now: Date; limit: number },
): Promise<Due[]> {
  const accounts = await own(db)
    .selectFrom('payout_account as a')
    .innerJoinLateral(
      (eb) =>
        eb
          .selectFrom('payout as p')
          .select(['p.id as next_id', 'p.state', 'p.wait_reason', 'p.retry_at'])
          .whereRef('p.account_id', '=', 'a.id')
          .where('p.state', 'in', OPEN_STATES)
          .orderBy('p.id')
          .limit(1)
          .as('next'),
      (join) => join.onTrue(),
    )
    .select(['a.id', 'a.chain', 'a.holder', 'a.name', 'a.paid', 'a.unread', 'a.settled', 'a.open'])
    .select('next_id')
    .where('a.chain', '=', chain)
    .where('a.open', '>', 0n)
    .where('next.state', '=', 'waiting')
    .where('next.wait_reason', 'is distinct from', HELD)
    .where(isRetryDue(now))
    .orderBy('a.tried_at', (order) => order.asc().nullsFirst())
    .orderBy('a.id')
    .limit(limit)
    .execute()
  const payouts = await getPayouts(
    db,
    accounts.map(({ next_id }) => next_id),
  )
  return accounts.flatMap(({ next_id, ...account }) => {
    const payout = payouts.get(next_id)
    return payout === undefined ? [] : [{ account: readAccount(account), payout, states: null }]
  })
}

async function isUnchanged(tx: Tx, { id, paid, settled }: PayoutAccount): Promise<boolean> {
  const row = await own(tx)
    .selectFrom('payout_account')
    .select('id')
    .where('id', '=', id)
    .where('paid', '=', paid)
    .where('settled', '=', settled)
    .executeTakeFirst()
  return row !== undefined
}

/** Charges advances of accounts with nothing open to what their holders are owed. @returns whether any was charged */
async function chargeAdvances(deps: SenderDeps & BookDeps, chain: Chain): Promise<boolean> {
  const rows = await own(deps.db)
    .selectFrom('payout_account')
    .select(['id', 'chain', 'holder', 'name', 'paid', 'unread', 'settled', 'open'])
    .where('chain', '=', chain)
    .where('open', '=', 0n)
    .whereRef('paid', '>', 'settled')
    .orderBy('tried_at', (order) => order.asc().nullsFirst())
    .orderBy('id')
    .limit(ADVANCES_AT_ONCE)
    .execute()
  let hasCharged = false
  for (const row of rows) {
    await noteTry(deps.db, row.id, realClock.now())
    const isCharged = await inTransaction(deps.db, (tx) =>
      chargeAdvance(deps, tx, readAccount(row)),
    )
    hasCharged ||= isCharged
  }
  return hasCharged
}
