import type { ChainReader, KnownTransaction } from '@dct/chain-clients'
import { stakingAbi } from '@dct/contract-abi'
import { type DecodeFunctionDataReturnType, decodeFunctionData, type Hex } from 'viem'
import { hexOf } from '../../chain/index.ts'

/** A join as its holder announced it: the transaction and its expected content. */
export type NamedJoin = {
  txHash: Buffer
  staker: Buffer
  planCode: string
  amount: bigint
}

/** Why a transaction is not the announced join. The codes are those of refusals. */
export type JoinFault =
  | { code: 'OTHER_CONTRACT' | 'NOT_YOUR_LOCK' | 'LOCK_FAILED' }
  | { code: 'OTHER_PLAN'; planCode: string }
  | { code: 'OTHER_AMOUNT'; amount: bigint }

/**
 * `unknown`: no node has the transaction. `possible`: nothing contradicts it, but only its final event makes it a
 * stake.
 */
export type JoinCheck = { kind: 'unknown' } | { kind: 'possible' } | ({ kind: 'fault' } & JoinFault)

/**
 * Checks an announced join against the chain. A transaction reveals its sender and call before it is in a block, so a
 * wrong wallet, contract, plan or amount is detected immediately.
 * @throws NodeUnavailable if no node answers
 */
export async function checkJoin(
  chain: { reader: ChainReader; staking: Hex },
  join: NamedJoin,
): Promise<JoinCheck> {
  const txHash = hexOf(join.txHash)
  const transaction = await chain.reader.transaction(txHash)
  if (transaction === null) return { kind: 'unknown' }
  const fault = faultOf(transaction, chain.staking, join)
  if (fault !== undefined) return { kind: 'fault', ...fault }
  const receipt = await chain.reader.receipt(txHash)
  const hasFailed = receipt.kind === 'final' && receipt.failure !== null
  return hasFailed ? { kind: 'fault', code: 'LOCK_FAILED' } : { kind: 'possible' }
}

function faultOf(
  transaction: KnownTransaction,
  staking: Hex,
  join: NamedJoin,
): JoinFault | undefined {
  const call = transaction.to === staking ? readCall(transaction.input) : undefined
  if (call?.functionName !== 'joinStake') return { code: 'OTHER_CONTRACT' }
  const [amount, planCode] = call.args
  return differenceOf(join, { staker: transaction.from, planCode, amount })
}

/** The first difference between a stake and its announcement; undefined when they match. */
export function differenceOf(
  join: NamedJoin,
  stake: { staker: Hex; planCode: string; amount: bigint },
): JoinFault | undefined {
  if (stake.staker !== hexOf(join.staker)) return { code: 'NOT_YOUR_LOCK' }
  if (stake.planCode !== join.planCode) return { code: 'OTHER_PLAN', planCode: stake.planCode }
  if (stake.amount !== join.amount) return { code: 'OTHER_AMOUNT', amount: stake.amount }
  return undefined
}

function readCall(data: Hex): DecodeFunctionDataReturnType<typeof stakingAbi> | undefined {
  try {
    return decodeFunctionData({ abi: stakingAbi, data })
  } catch {
    // Any data may be sent to a contract; data that is not a call of its functions is not a join.
    return undefined
  }
}
