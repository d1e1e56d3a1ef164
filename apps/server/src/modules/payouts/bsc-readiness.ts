import { decodeRevert, encodeCall } from '@dct/chain-clients/senders/index'
import { tokenAbi } from '@dct/contract-abi'
import { decodeFunctionResult } from 'viem'
import { inTransaction } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import { type BscDeps, gasLimit, transferCall } from './bsc-deps.ts'
import type { Payout } from './create-payout.ts'
import { finishPayout } from './finish-payout.ts'
import { openPayments } from './payments.queries.ts'
import type { WaitReason } from './sender-deps.ts'

export type BscReadiness =
  | { kind: 'ready'; gas: bigint }
  | { kind: 'wait'; reason: WaitReason; detail: string }

/** Whether the wallet can pay this now: price, tokens, a trial run, BNB. */
export async function transferReadiness(
  deps: BscDeps,
  payout: Payout,
  gasPrice: bigint,
): Promise<BscReadiness> {
  const wait = (reason: WaitReason, detail: string) => ({ kind: 'wait', reason, detail }) as const
  if (gasPrice > deps.maxGasPrice) {
    return wait('GAS_PRICE', `It asks for ${gasPrice} wei, above ${deps.maxGasPrice}.`)
  }
  const owed = await amountOnTheWay(deps)
  const held = await tokenBalance(deps)
  if (held < owed.amount + payout.amount) {
    const detail = `It holds ${held}; ${owed.amount} are on their way and ${payout.amount} are to be paid.`
    return wait('NO_TOKEN', detail)
  }
  const call = transferCall(deps, payout)
  const outcome = await deps.node.simulate({ from: deps.wallet, ...call })
  if (!outcome.succeeded) return wait('REFUSED', decodeRevert(tokenAbi, outcome.revert))
  const gas = gasLimit(outcome.used)
  const needed = gas * gasPrice * BigInt(owed.count + 1)
  const wei = await deps.node.balanceOf(deps.wallet)
  if (wei < needed) return wait('NO_BNB', `It takes ${needed} wei; there are ${wei}.`)
  return { kind: 'ready', gas }
}

/** What signed transfers may still take from the wallet. Some of them may have done so already. */
async function amountOnTheWay({ db }: BscDeps): Promise<{ amount: bigint; count: number }> {
  const row = await db
    .selectFrom('payout')
    .select((eb) => [
      eb.fn.coalesce(eb.fn.sum<bigint>('amount'), eb.val(0n)).as('amount'),
      eb.fn.countAll<bigint>().as('count'),
    ])
    .where('chain', '=', 'BSC')
    .where('state', '=', 'signed')
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
 * Books a payout as paid that the chain shows as paid although nothing was ever signed for it here:
 * the same amount to the same address, in a transfer that no other payout explains. So a restored
 * backup does not pay again what it has forgotten.
 */
export async function bookForgotten(deps: BscDeps, payout: Payout): Promise<boolean> {
  const seen = await openPayments(deps.db, { chain: 'BSC', to: payout.to, limit: 50 })
  const payment = seen.find(({ amount }) => amount === payout.amount)
  if (payment === undefined) return false
  const at = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    const attempt = await tx
      .selectFrom('send_attempt')
      .select('id')
      .where('payout_id', '=', payout.id)
      .executeTakeFirst()
    if (attempt !== undefined) return false
    return finishPayout(tx, deps.onFinal, { payoutId: payout.id, evidence: payment, at })
  })
}
