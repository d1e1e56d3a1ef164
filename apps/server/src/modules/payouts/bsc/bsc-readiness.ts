import { decodeRevert, encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { decodeFunctionResult } from 'viem'
import { invariant } from '../../../platform/errors.ts'
import { bytesOf } from '../../chain/index.ts'
import { bookUnsigned } from '../book-recorded.ts'
import type { Payout } from '../create-payout.ts'
import { fittingPayments, hasUnknownPayment } from '../payments.queries.ts'
import { own } from '../payouts.tables.ts'
import type { WaitReason } from '../sender-deps.ts'
import { type BscDeps, gasLimit, transferCall } from './bsc-deps.ts'

export type BscReadiness =
  | { kind: 'ready'; gas: bigint }
  | { kind: 'wait'; reason: WaitReason; detail: string }

/** Whether the wallet can pay this now: checks gas price, token balance, a simulation and BNB. */
export async function transferReadiness(
  deps: BscDeps,
  payout: Payout,
  gasPrice: bigint,
): Promise<BscReadiness> {
  const wait = (reason: WaitReason, detail: string) => ({ kind: 'wait', reason, detail }) as const
  if (gasPrice > deps.maxGasPrice) {
    return wait(
      'GAS_PRICE',
      `The network asks for ${gasPrice} wei, the maximum is ${deps.maxGasPrice}.`,
    )
  }
  const owed = await amountOnTheWay(deps)
  const held = await tokenBalance(deps)
  if (held < owed.amount + payout.amount) {
    const detail = `The balance is ${held}; ${owed.amount} is in flight and ${payout.amount} is due.`
    return wait('NO_TOKEN', detail)
  }
  const call = transferCall(deps, payout)
  const outcome = await deps.node.simulate({ from: deps.wallet, ...call })
  if (!outcome.succeeded) return wait('REFUSED', decodeRevert(tokenAbi, outcome.revert))
  const gas = gasLimit(outcome.used)
  const needed = gas * gasPrice * BigInt(owed.count + 1)
  const wei = await deps.node.balanceOf(deps.wallet)
  if (wei < needed) return wait('NO_BNB', `${needed} wei is needed, the balance is ${wei}.`)
  return { kind: 'ready', gas }
}

/** The amount and number of signed, undecided transfers from this wallet. Some may have been mined already. */
async function amountOnTheWay({ db, wallet }: BscDeps): Promise<{ amount: bigint; count: number }> {
  const row = await own(db)
    .selectFrom('payout')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.val(0n)).as('amount'),
      eb.fn.countAll<bigint>().as('count'),
    ])
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('send_attempt')
        .select('payout_id')
        .where('chain', '=', 'BSC')
        .where('sender', '=', bytesOf(wallet))
        .where('state', '=', 'pending'),
    )
    .executeTakeFirstOrThrow()
  return { amount: row.amount, count: Number(row.count) }
}

async function tokenBalance(deps: BscDeps): Promise<bigint> {
  const data = encodeCall(tokenAbi, 'balanceOf', [deps.wallet])
  const outcome = await deps.node.simulate({ from: deps.wallet, to: deps.usdt, data })
  invariant(outcome.succeeded, 'the balance of the payout wallet cannot be read')
  return decodeFunctionResult({ abi: tokenAbi, functionName: 'balanceOf', data: outcome.output })
}

/**
 * Books queued payouts as paid when the chain already shows their payments: the same amount to the same address, in a
 * transfer that nothing else explains. This prevents a restored backup from repeating payments that it lacks, whatever
 * other attempts it contains.
 * @returns whether any was booked
 */
export async function bookForgotten(deps: BscDeps, due: readonly Payout[]): Promise<boolean> {
  if (!(await hasUnknownPayment(deps.db))) return false
  let hasBooked = false
  for (const payout of due) {
    const [payment] = await fittingPayments(deps.db, payout)
    if (payment === undefined) continue
    hasBooked = (await bookUnsigned(deps, { payout, payment })) || hasBooked
  }
  return hasBooked
}
