import type { EvmNode } from '@dct/chain-clients'
import {
  type AllowedCalls,
  decodeRevert,
  encodeCall,
  selectorsOf,
} from '@dct/chain-clients/senders/index'
import { payoutVaultAbi, tokenAbi } from '@dct/contract-abi'
import { decodeFunctionResult, type Hex } from 'viem'
import type { Db, DbOrTx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import type { AccountKey } from '../accounts.queries.ts'
import type { Payout } from '../create-payout.ts'
import type { Statement } from '../intents.queries.ts'
import { own } from '../payouts.tables.ts'
import type { Owed, Readiness } from '../send-owed.ts'
import type { WaitReason } from '../sender-deps.ts'

/** What the referrer signed, as the vault needs it. Amounts in base units of USDT. */
export type SignedClaim = {
  claimed: bigint
  /** The most that may ever be paid to the account under this claim. */
  total: bigint
  opening: string
  closing: string
  signature: Uint8Array
}

export type VaultDeps = {
  db: Db
  node: EvmNode
  usdt: Hex
  vault: Hex
  /** 20 bytes as hex: the address whose key pays. */
  operator: Hex
  /** The claim that a payout pays; undefined if there is none. Wired in main/, because claims are not known here. */
  claimOf(db: DbOrTx, payoutId: bigint): Promise<SignedClaim | undefined>
}

/** A call of the vault that its simulation accepted. */
export type VaultCall = { to: Hex; data: Hex; gas: bigint }

/** The contract states amounts of claims in millionths of a USDT. */
const BASE_UNITS_OF_MILLIONTH = 10n ** 12n
const KINDS = ['direct', 'indirect'] as const
/** A simulation reports what was used after refunds; unused gas is not paid for. */
const GAS_RESERVE = { numerator: 13n, denominator: 10n }

/** The only calls that the key is meant for. */
export function callsOfPayer({ vault }: Pick<VaultDeps, 'vault'>): AllowedCalls {
  return [{ contract: vault, selectors: selectorsOf(payoutVaultAbi, ['pay', 'publishOwed']) }]
}

/** The name of an account for a kind of bonus, as the vault numbers it. */
export function kindNamed(kind: number): string {
  const name = KINDS[kind]
  invariant(name !== undefined, `the vault has no kind ${kind}`)
  return name
}

/** What the vault paid to an account, in the newest final block. */
export async function readPaid({ node, vault }: VaultDeps, account: AccountKey): Promise<bigint> {
  const args = [account.holder, kindNumber(account.name)] as const
  const call = { to: vault, data: encodeCall(payoutVaultAbi, 'paidOf', args) }
  const [data = '0x'] = (await node.finalCall([call])).results
  return decodeFunctionResult({ abi: payoutVaultAbi, functionName: 'paidOf', data })
}

/** Whether the vault would make this payment now, and the call that makes it. */
export async function paymentReadiness(
  deps: VaultDeps,
  { account, payout, paidBefore, amount }: Owed,
): Promise<Readiness<VaultCall>> {
  const wait = (reason: WaitReason, detail = '') => ({ kind: 'wait', reason, detail }) as const
  const claim = await deps.claimOf(deps.db, payout.id)
  if (claim === undefined) return wait('NO_CLAIM')
  const after = paidBefore + amount
  if (after > claim.total) {
    return wait(
      'BEYOND_CLAIM',
      `It allows ${claim.total} base units in all; ${after} would be paid.`,
    )
  }
  const vault = await readVault(deps)
  if (vault.operator !== deps.operator) return wait('FOREIGN_OPERATOR', `It is ${vault.operator}.`)
  if (vault.isPaused) return wait('PAUSED')
  const ahead = await amountOnTheWay(deps.db)
  if (vault.held < ahead + amount) {
    return wait(
      'NO_TOKEN',
      `The vault holds ${vault.held} base units; ${ahead} are in flight and ${amount} are due.`,
    )
  }
  if (vault.leftToday < ahead + amount) {
    return wait(
      'DAY_LIMIT',
      `The vault pays ${vault.leftToday} base units more today; ${ahead} are in flight and ${amount} are due.`,
    )
  }
  return trialRun(deps, payCall(deps, { account, payout, claim, paidBefore, amount }))
}

function payCall(
  { vault }: VaultDeps,
  payment: Statement & { account: AccountKey; payout: Payout; claim: SignedClaim },
): { to: Hex; data: Hex } {
  const { account, payout, claim, paidBefore, amount } = payment
  const { opening, closing } = claim
  const signed = {
    account: account.holder,
    kind: kindNumber(account.name),
    to: payout.to,
    claimed: claim.claimed / BASE_UNITS_OF_MILLIONTH,
    total: claim.total / BASE_UNITS_OF_MILLIONTH,
    ...{ opening, closing },
    signature: `0x${Buffer.from(claim.signature).toString('hex')}` as const,
  }
  return { to: vault, data: encodeCall(payoutVaultAbi, 'pay', [signed, paidBefore, amount]) }
}

const BY_ERROR: Readonly<Record<string, WaitReason>> = {
  // A payment that is mined but not final yet: it is booked soon.
  PayoutVault_PaidDiffers: 'NEARLY_DONE',
  PayoutVault_OnlyOperator: 'FOREIGN_OPERATOR',
}

/** Simulates a call. A call whose simulation fails is not signed: it would cost gas and change nothing. */
export async function trialRun(
  { node, operator }: VaultDeps,
  call: { to: Hex; data: Hex },
): Promise<Readiness<VaultCall>> {
  const outcome = await node.simulate({ from: operator, ...call })
  if (!outcome.succeeded) {
    const revert = decodeRevert(payoutVaultAbi, outcome.revert)
    return { kind: 'wait', reason: BY_ERROR[revert] ?? 'REFUSED', detail: revert }
  }
  const gas = (outcome.used * GAS_RESERVE.numerator) / GAS_RESERVE.denominator
  return { kind: 'ready', call: { ...call, gas } }
}

async function readVault({ node, usdt, vault, operator: from }: VaultDeps) {
  const read = async (to: Hex, data: Hex) => {
    const outcome = await node.simulate({ from, to, data })
    invariant(outcome.succeeded, `a view of ${to} cannot be read`)
    return BigInt(outcome.output)
  }
  const view = (name: 'operator' | 'paused' | 'leftToday') =>
    read(vault, encodeCall(payoutVaultAbi, name, []))
  const [operator, paused, leftToday, held] = await Promise.all([
    view('operator'),
    view('paused'),
    view('leftToday'),
    read(usdt, encodeCall(tokenAbi, 'balanceOf', [vault])),
  ])
  const shown: Hex = `0x${operator.toString(16).padStart(40, '0')}`
  return { operator: shown, isPaused: paused !== 0n, leftToday, held }
}

/** What signed, undecided payments add; some may have been mined already. The variants of one nonce count once. */
async function amountOnTheWay(db: DbOrTx): Promise<bigint> {
  const row = await own(db)
    .selectFrom((eb) =>
      eb
        .selectFrom('send_attempt')
        .select(['payout_id', (most) => most.fn.max('amount').as('amount')])
        .where('chain', '=', 'BSC')
        .where('state', '=', 'pending')
        .groupBy('payout_id')
        .as('live'),
    )
    .select((eb) => eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.val(0n)).as('amount'))
    .executeTakeFirstOrThrow()
  return row.amount
}

function kindNumber(name: string): 0 | 1 {
  const kind = KINDS.indexOf(name as (typeof KINDS)[number])
  invariant(kind >= 0, `the vault has no kind ${name}`)
  return kind as 0 | 1
}
