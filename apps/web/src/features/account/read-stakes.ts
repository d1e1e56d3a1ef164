import { wordAt } from '../../shared/chain/abi-codec.ts'
import { readContract, readNumber } from '../../shared/chain/call-contract.ts'
import type { TronNode } from '../../shared/chain/injected.ts'

/** A lock as recorded in the staking contract; amounts in the token's base units. */
export type ChainStake = {
  id: string
  planCode: string
  amount: bigint
  reward: bigint
  start: Date
  end: Date
  isReleased: boolean
}

type Owner = { staking: string; owner: string }

/** Reads `owner`'s locks in these plans from the staking contract. @throws NodeError */
export async function readStakes(
  node: TronNode,
  { planCodes, ...owner }: Owner & { planCodes: readonly string[] },
): Promise<ChainStake[]> {
  const stakes = await Promise.all(
    planCodes.map((planCode) => readStake(node, { ...owner, planCode })),
  )
  return stakes.filter((stake) => stake !== undefined)
}

async function readStake(
  node: TronNode,
  { staking, owner, planCode }: Owner & { planCode: string },
): Promise<ChainStake | undefined> {
  const id = await readNumber(node, owner, {
    contract: staking,
    selector: 'stakeOf(address,string)',
    args: [
      { type: 'address', value: owner },
      { type: 'string', value: planCode },
    ],
  })
  if (id === 0n) return undefined
  const answer = await readContract(node, owner, {
    contract: staking,
    selector: 'stakes(uint256)',
    args: [{ type: 'uint256', value: id }],
  })
  return { id: String(id), planCode, ...decodeStake(answer) }
}

/** Decodes the words of the struct after its offset: staker, amount, reward, start, end, released, plan code. */
export function decodeStake(answer: string): Omit<ChainStake, 'id' | 'planCode'> {
  return {
    amount: wordAt(answer, 2),
    reward: wordAt(answer, 3),
    start: instantOf(wordAt(answer, 4)),
    end: instantOf(wordAt(answer, 5)),
    isReleased: wordAt(answer, 6) === 1n,
  }
}

function instantOf(seconds: bigint): Date {
  return new Date(Number(seconds) * 1000)
}
