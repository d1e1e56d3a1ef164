import type { UnmatchedPayment, UnmatchedPaymentsQuery } from '@dct/api-contract/claims'
import type { ChainReader, FinalReceipt } from '@dct/chain-clients'
import { amount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { readHexSearch } from '@dct/rules/binary-search-text'
import { sql } from 'kysely'
import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { anyOf, fitsHex } from '../../platform/database/binary-search.ts'
import { type Db, inTransaction, type ReadDb, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { cappedTotal, MAX_COUNTED, offsetOf } from '../../platform/http/lists.ts'
import { addressesOf } from '../auth/index.ts'
import { bytesOf, hexOf, ownAddresses } from '../chain/index.ts'
import { account, postTransfers } from '../ledger/index.ts'
import { readFinalReceipt, readTransfers } from '../payouts/index.ts'
import { endSteps, judgeNow, SHARED_SCOPE } from '../steps/index.ts'
import { lockClaimByCode } from './claims.queries.ts'
import { own } from './claims.tables.ts'
import { formatUsdt } from './serialize-claim.ts'
import { type SettleDeps, type Settlement, settleFee } from './settle-fee.ts'

export type UnmatchedDeps = SettleDeps & {
  db: Db
  recordAdminAction: RecordAdminAction
  /** BSC. */
  reader: Pick<ChainReader, 'receipt'>
  usdt: Hex
  realClock: Clock
}

/** Identifies one transfer within a transaction. */
export type ReceiptKey = { txHash: Buffer; logIndex: number }

/** Payments that did not settle a fee automatically, for admins. */
export async function listUnmatched(db: Db, query: UnmatchedFilter & UnmatchedPaymentsQuery) {
  const rows = await orderedUnmatched(db, query)
    .offset(offsetOf(query))
    .limit(query.limit)
    .execute()
  const some = filtered(db, query)
    .select('r.log_index')
    .limit(MAX_COUNTED + 1)
  const { found } = await own(db)
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<bigint>().as('found'))
    .executeTakeFirstOrThrow()
  return { payments: await describeUnmatched(db, rows), ...cappedTotal(found) }
}

type UnmatchedFilter = Pick<UnmatchedPaymentsQuery, 'state' | 'search'> & {
  from?: Date
  before?: Date
}

/** All payments that match a filter, in order. */
export function orderedUnmatched(
  db: ReadDb,
  query: UnmatchedFilter & Pick<UnmatchedPaymentsQuery, 'sort_by' | 'sort_order'>,
) {
  return filtered(db, query)
    .leftJoin('claim as c', 'c.id', 'r.nearest_claim_id')
    .selectAll('r')
    .select(['c.code_claim', 'c.staker', 'c.exact_amount'])
    .orderBy(query.sort_by === 'amount_usdt' ? 'r.amount' : 'r.block_time', query.sort_order)
    .orderBy('r.tx_hash', query.sort_order)
    .orderBy('r.log_index', query.sort_order)
}

type UnmatchedRow = Awaited<ReturnType<ReturnType<typeof orderedUnmatched>['execute']>>[number]

/** Unmatched payments as admins see them, with the admin who resolved each. */
export async function describeUnmatched(
  db: ReadDb,
  rows: readonly UnmatchedRow[],
): Promise<UnmatchedPayment[]> {
  const handlers = rows.flatMap(({ handled_by: id }) => (id === null ? [] : [id]))
  const addresses = await addressesOf(db, handlers)
  return rows.map((row) => describe(row, addresses))
}

function describe(row: UnmatchedRow, addresses: ReadonlyMap<bigint, Uint8Array>): UnmatchedPayment {
  const handler = row.handled_by === null ? undefined : addresses.get(row.handled_by)
  return {
    tx_hash: hexOf(row.tx_hash),
    log_index: row.log_index,
    from_address: formatEvmAddress(row.from_address),
    to_address: formatEvmAddress(row.to_address),
    amount_usdt: formatUsdt(row.amount),
    received_at: row.block_time.toISOString(),
    state: row.state,
    nearest_code_claim: row.code_claim,
    nearest_tron_address: row.staker === null ? null : formatTronAddress(row.staker),
    nearest_expected_usdt: row.exact_amount === null ? null : formatUsdt(row.exact_amount),
    nearest_difference_usdt:
      row.exact_amount === null ? null : formatUsdt(row.amount - row.exact_amount),
    note: row.note,
    handled_by: handler === undefined ? null : formatTronAddress(handler),
    handled_at: row.handled_at?.toISOString() ?? null,
  }
}

const HASH_BYTES = 32
const EVM_ADDRESS_BYTES = 20

/**
 * The search text is the beginning, the end or the shortened form of the transaction hash or of the sender's address.
 */
function filtered(db: ReadDb, filter: UnmatchedFilter) {
  const { state = 'unmatched', from, before } = filter
  let query = own(db).selectFrom('usdt_receipt as r').where('r.state', '=', state)
  // Payments that settled their fee automatically do not belong in this list.
  if (state === 'settled') query = query.where('r.handled_by', 'is not', null)
  if (from !== undefined) query = query.where('r.block_time', '>=', from)
  if (before !== undefined) query = query.where('r.block_time', '<', before)
  const text = filter.search?.trim() ?? ''
  if (text === '') return query
  const hash = readHexSearch(text, HASH_BYTES)
  const sender = readHexSearch(text, EVM_ADDRESS_BYTES)
  return query.where(
    anyOf([
      ...(hash === undefined ? [] : [fitsHex(sql.ref('r.tx_hash'), hash)]),
      ...(sender === undefined ? [] : [fitsHex(sql.ref('r.from_address'), sender)]),
    ]),
  )
}

/**
 * Settles a claim's fee with a payment that did not match it, by an admin's decision. While an admin may be sending it
 * back, it settles nothing, unless the admin who decides knew of that.
 * @param input.known the attempts to return it that the admin knew of
 * @throws Refusal `RECEIPT_NOT_FOUND`, `RECEIPT_NOT_UNMATCHED`, `CLAIM_NOT_FOUND`, `CLAIM_NOT_OPEN`, `OWN_FEE`,
 * `PAYMENT_TOO_LATE`, `RETURN_UNDER_WAY`
 */
export async function attachPayment(
  deps: UnmatchedDeps,
  input: ReceiptKey & { code: string; known: readonly string[]; adminId: bigint },
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    const claim = await lockClaimOf(tx, input.code)
    if (claim.user_id === input.adminId) throw new Refusal('OWN_FEE')
    const receipt = await lockUnmatched(tx, input)
    if (receipt.block_time > claim.fee_until) throw new Refusal('PAYMENT_TOO_LATE')
    if (await isReturnUnderWay(tx, deps, input)) throw new Refusal('RETURN_UNDER_WAY')
    const { amount: received, block_time: blockTime } = receipt
    await settleUnmatched(deps, tx, {
      claim,
      receipt: { ...input, amount: amount('USDT', received), blockTime },
      adminId: input.adminId,
    })
    await deps.recordAdminAction(tx, {
      adminId: input.adminId,
      action: 'payment.attach',
      subject: input.code,
      before: { unpaid_fee_usdt: formatUsdt(claim.exact_amount) },
      after: { tx_hash: hexOf(input.txHash), received_usdt: formatUsdt(receipt.amount) },
      at,
    })
  })
}

/** Whether an admin may be sending a payment back, other than in the attempts that whoever asks knew of. */
export async function isReturnUnderWay(
  tx: Tx,
  { realClock }: Pick<UnmatchedDeps, 'realClock'>,
  { known = [], ...key }: ReceiptKey & { known?: readonly string[] },
): Promise<boolean> {
  const returns = { scope: SHARED_SCOPE, step: returnStep(key), now: realClock.now() }
  return (await judgeNow(tx, { ...returns, known })).kind === 'taken'
}

/** Settles a claim's fee with a payment that waited. The caller has locked both. `adminId`: who decided so, if anybody. */
export async function settleUnmatched(
  deps: SettleDeps,
  tx: Tx,
  { claim, receipt, adminId }: Pick<Settlement, 'claim' | 'receipt'> & { adminId: bigint | null },
): Promise<void> {
  await settleFee(deps, tx, { claim, receipt, source: 'suspense' })
  const handled_at = adminId === null ? null : deps.clock.now()
  await own(tx)
    .updateTable('usdt_receipt')
    .set({ state: 'settled', claim_id: claim.id, handled_by: adminId, handled_at })
    .where('tx_hash', '=', receipt.txHash)
    .where('log_index', '=', receipt.logIndex)
    .execute()
}

async function lockClaimOf(tx: Tx, code: string) {
  const claim = await lockClaimByCode(tx, { code })
  if (claim === undefined) throw new Refusal('CLAIM_NOT_FOUND')
  if (claim.state !== 'awaiting_fee') throw new Refusal('CLAIM_NOT_OPEN', { state: claim.state })
  return claim
}

/**
 * Records that a payment was sent back to its sender and takes it off the list. The transfer itself is booked by the
 * watcher when it sees it. It must be another, later and final one of at least the same amount, that has returned nothing
 * else yet and pays no reward. An admin must have announced it, so that no other has sent a second one meanwhile.
 * @throws Refusal `RECEIPT_NOT_FOUND`, `RECEIPT_NOT_UNMATCHED`, `PAYMENT_NOT_ON_CHAIN`, `PAYMENT_NOT_FINAL`,
 * `PAYMENT_WITHOUT_EFFECT`, `NOT_A_RETURN`, `RETURN_USED`, `RETURN_NOT_ANNOUNCED`
 */
export async function markRefunded(
  deps: UnmatchedDeps,
  input: ReceiptKey & { refundHash: Hex; note: string | undefined; adminId: bigint },
): Promise<void> {
  const at = deps.clock.now()
  const refund = await readFinalReceipt(deps.reader, input.refundHash)
  await inTransaction(deps.db, async (tx) => {
    const receipt = await lockUnmatched(tx, input)
    const logIndex = await freeReturn(tx, deps, { receipt, key: input, refund })
    const announced = { scope: SHARED_SCOPE, step: returnStep(input) }
    const wasAnnounced = (await endSteps(tx, announced, deps.realClock.now())) > 0
    if (!wasAnnounced) throw new Refusal('RETURN_NOT_ANNOUNCED')
    const note = [`Refunded by ${input.refundHash}.`, input.note ?? ''].join(' ').trim()
    await own(tx)
      .updateTable('usdt_receipt')
      .set({ state: 'refunded', note, handled_by: input.adminId, handled_at: at })
      .set({ return_tx: bytesOf(input.refundHash), return_log_index: logIndex })
      .where('tx_hash', '=', input.txHash)
      .where('log_index', '=', input.logIndex)
      .execute()
    await postTransfers(tx, [
      {
        debit: account.suspense,
        credit: account.owner,
        asset: 'USDT',
        amount: receipt.amount,
        kind: 'receipt.refunded',
        ref: `${hexOf(input.txHash)}:${input.logIndex}`,
        at,
      },
    ])
    await deps.recordAdminAction(tx, {
      adminId: input.adminId,
      action: 'payment.refunded',
      subject: `${hexOf(input.txHash)}:${input.logIndex}`,
      before: { state: 'unmatched', amount_usdt: formatUsdt(receipt.amount) },
      after: { state: 'refunded', refund_tx_hash: input.refundHash },
      at,
    })
  })
}

/** The place of a transfer in the refund that returns this payment, and has returned no other. */
async function freeReturn(
  tx: Tx,
  { usdt }: UnmatchedDeps,
  given: { receipt: LockedReceipt; key: ReceiptKey; refund: FinalReceipt },
): Promise<number> {
  const { receipt, key, refund } = given
  const payer = hexOf(receipt.from_address)
  const { payout_wallet: vaults } = await ownAddresses(tx)
  const isLater = refund.blockNumber > receipt.block_number && refund.txHash !== hexOf(key.txHash)
  const returns = readTransfers(refund.logs).filter(
    ({ token, from, to, value }) =>
      token === usdt &&
      to === payer &&
      value >= receipt.amount &&
      // Neither what the payer has sent to themselves nor what a vault has paid them.
      from !== payer &&
      !vaults.includes(from as Hex),
  )
  if (!isLater || returns.length === 0) throw new Refusal('NOT_A_RETURN')
  const used = await own(tx)
    .selectFrom('usdt_receipt')
    .select('return_log_index')
    .where('return_tx', '=', bytesOf(refund.txHash))
    .execute()
  const free = returns.find(
    ({ logIndex }) => !used.some((one) => one.return_log_index === logIndex),
  )
  if (free === undefined) throw new Refusal('RETURN_USED')
  return free.logIndex
}

/** The name of the money step that returns a payment. */
function returnStep({ txHash, logIndex }: ReceiptKey): string {
  return `refund:${hexOf(txHash)}:${logIndex}`
}

/**
 * Throws unless the payment of this return step still waits for a decision; none is made until the transaction ends.
 * @throws Refusal `STEP_UNKNOWN`, `RECEIPT_NOT_FOUND`, `RECEIPT_NOT_UNMATCHED`
 */
export async function requireReturnDue(tx: Tx, step: string): Promise<void> {
  const [, hash, index] = /^refund:(0x[0-9a-f]{64}):(\d{1,9})$/.exec(step) ?? []
  if (hash === undefined) throw new Refusal('STEP_UNKNOWN')
  await lockUnmatched(tx, { txHash: bytesOf(hash as Hex), logIndex: Number(index) })
}

type LockedReceipt = Awaited<ReturnType<typeof lockUnmatched>>

async function lockUnmatched(tx: Tx, key: ReceiptKey) {
  const receipt = await own(tx)
    .selectFrom('usdt_receipt')
    .select(['state', 'amount', 'block_time', 'block_number', 'from_address'])
    .where('tx_hash', '=', key.txHash)
    .where('log_index', '=', key.logIndex)
    .forUpdate()
    .executeTakeFirst()
  if (receipt === undefined) throw new Refusal('RECEIPT_NOT_FOUND')
  if (receipt.state !== 'unmatched') {
    throw new Refusal('RECEIPT_NOT_UNMATCHED', { state: receipt.state })
  }
  return receipt
}
