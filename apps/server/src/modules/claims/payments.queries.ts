import { latestPossible } from '../../platform/clock.ts'
import type { Db, DbOrTx, Tx } from '../../platform/database/db.ts'
import { wakePagesOf } from './claims.queries.ts'
import { own } from './claims.tables.ts'

/** The receipts of a transaction at our fee receivers, with the claims that they settled and those claims' users. */
export async function receiptsOf(db: DbOrTx, txHash: Buffer) {
  return own(db)
    .selectFrom('usdt_receipt as r')
    .leftJoin('claim as c', 'c.id', 'r.claim_id')
    .select(['r.log_index', 'r.amount', 'r.state', 'r.to_address', 'r.block_number', 'r.claim_id'])
    .select(['r.block_time', 'c.user_id', 'c.code_claim'])
    .where('r.tx_hash', '=', txHash)
    .orderBy('r.log_index')
    .execute()
}

/** The claim that holds an exact amount, open or recently ended. */
export async function claimOfAmount(db: DbOrTx, key: { receiver: Buffer; exact: bigint }) {
  return own(db)
    .selectFrom('amount_hold as h')
    .innerJoin('claim as c', 'c.id', 'h.claim_id')
    .select(['c.id', 'c.user_id', 'c.code_claim'])
    .where('h.receiver', '=', key.receiver)
    .where('h.exact_amount', '=', key.exact)
    .executeTakeFirst()
}

/** A payment may have been meant for a fee if it deviates by no more than the larger of these two. */
const NEAR_USDT = 10n ** 18n
const NEAR_PERCENT = 10n

type OddPayment = { txHash: Buffer; receiver: Buffer; amount: bigint }

/**
 * The claim that an unmatched payment was probably meant for: the one that holds its amount, else one whose holder
 * submitted the transaction, else the open fee with the nearest amount. Never one whose amount is far off, because
 * anyone can submit any transaction.
 */
export async function nearestClaim(tx: Tx, payment: OddPayment): Promise<bigint | undefined> {
  const own = await claimOfAmount(tx, { receiver: payment.receiver, exact: payment.amount })
  if (own !== undefined) return own.id
  const named = await namedFor(tx, payment)
  const candidates = [
    await neighbour(tx, payment, { side: '<', order: 'desc' }),
    await neighbour(tx, payment, { side: '>', order: 'asc' }),
  ].filter((claim) => claim !== undefined)
  const byDistance = candidates.toSorted((a, b) => (off(a, payment) < off(b, payment) ? -1 : 1))
  return [...named, ...byDistance].find((claim) => isNear(claim, payment))?.id
}

async function namedFor(tx: Tx, payment: OddPayment) {
  return own(tx)
    .selectFrom('fee_hint as h')
    .innerJoin('claim as c', 'c.id', 'h.claim_id')
    .select(['c.id', 'c.exact_amount'])
    .where('h.tx_hash', '=', payment.txHash)
    .where('c.receiver', '=', payment.receiver)
    .where('c.state', '=', 'awaiting_fee')
    .orderBy('h.submitted_at')
    .limit(10)
    .execute()
}

function isNear(claim: { exact_amount: bigint }, payment: OddPayment): boolean {
  const by = off(claim, payment)
  return by <= NEAR_USDT || by * 100n <= claim.exact_amount * NEAR_PERCENT
}

function off({ exact_amount: exact }: { exact_amount: bigint }, { amount }: OddPayment): bigint {
  return exact < amount ? amount - exact : exact - amount
}

async function neighbour(
  tx: Tx,
  payment: OddPayment,
  { side, order }: { side: '<' | '>'; order: 'asc' | 'desc' },
) {
  return own(tx)
    .selectFrom('claim')
    .select(['id', 'exact_amount'])
    .where('receiver', '=', payment.receiver)
    .where('state', '=', 'awaiting_fee')
    .where('exact_amount', side, payment.amount)
    .orderBy('exact_amount', order)
    .limit(1)
    .executeTakeFirst()
}

/** Stores the transaction that a holder last submitted for a claim. */
export async function saveHint(
  db: Db | Tx,
  hint: { claimId: bigint; txHash: Buffer; at: Date },
): Promise<void> {
  const values = {
    tx_hash: hint.txHash,
    submitted_at: hint.at,
    problem: null,
    message: null,
    checked_at: null,
  }
  await own(db)
    .insertInto('fee_hint')
    .values({ claim_id: hint.claimId, ...values })
    .onConflict((conflict) => conflict.column('claim_id').doUpdateSet(values))
    .execute()
}

/**
 * Hints that may still turn out to be payments and have not been checked since `before`, those waiting longest first.
 */
export async function openHints(db: DbOrTx, query: { before: Date; limit: number }) {
  return own(db)
    .selectFrom('fee_hint as h')
    .innerJoin('claim as c', 'c.id', 'h.claim_id')
    .select(['h.claim_id', 'h.tx_hash', 'h.submitted_at'])
    .select(['c.receiver', 'c.exact_amount', 'c.not_before_block', 'c.requested_at'])
    .where('h.problem', 'is', null)
    .where('c.state', '=', 'awaiting_fee')
    .where((eb) =>
      eb.or([
        eb('h.checked_at', 'is', null),
        eb('h.checked_at', '<', query.before),
        eb('h.checked_at', '>', latestPossible(query.before)),
      ]),
    )
    .orderBy('h.checked_at', (order) => order.asc().nullsFirst())
    .limit(query.limit)
    .execute()
}

/** Stores the result of checking a hint's transaction, unless the hint has been replaced since. */
export async function recordHint(
  tx: Tx,
  note: {
    claimId: bigint
    txHash: Buffer
    at: Date
    problem: { code: string; message: string } | null
  },
): Promise<void> {
  await own(tx)
    .updateTable('fee_hint')
    .set({
      checked_at: note.at,
      problem: note.problem?.code ?? null,
      message: note.problem?.message ?? null,
    })
    .where('claim_id', '=', note.claimId)
    .where('tx_hash', '=', note.txHash)
    .execute()
  if (note.problem !== null) await wakePagesOf(tx, note.claimId)
}
