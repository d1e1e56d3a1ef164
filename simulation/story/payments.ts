/** Payments of fees on chain that the model has not booked yet, and what the screens say about them. */
import { tokenAbi } from '@dct/contract-abi'
import { decodeEventLog, type Hex } from 'viem'
import type { Claim, Earning } from '../model/earning.ts'
import { PLACES } from '../world/chains.ts'
import type { Stage } from './stage.ts'

/** `at`: the time of the block, in milliseconds since 1970. */
export function finalPayments({ world, positions }: Stage): { amount: bigint; at: number }[] {
  const { bsc } = world.chains
  const found: { amount: bigint; at: number }[] = []
  for (let number = positions.bsc + 1; number <= bsc.final.number; number += 1) {
    const { included, time: at } = bsc.blockAt(number)
    for (const { address, topics, data } of included.flatMap(({ logs }) => logs)) {
      if (address !== PLACES.usdt) continue
      const event = decodeEventLog({ abi: tokenAbi, data, topics: topics as [Hex, ...Hex[]] })
      if (
        event.eventName !== 'Transfer' ||
        !world.receivers.has(event.args.to.toLowerCase() as Hex)
      )
        continue
      found.push({ amount: event.args.value, at })
    }
  }
  return found
}

export async function isPaidOnScreen(
  stage: Stage,
  { staker }: Earning,
  { code }: Claim,
): Promise<boolean> {
  const holder = stage.holders.find(({ tronAddress }) => tronAddress === staker)
  if (holder === undefined) return false
  const { body } = await stage.api.call(holder, 'GET', '/user/pending-claim-fees?limit=100')
  const fees = (body.pending_fees ?? []) as { code_claim: string; is_paid: boolean }[]
  return fees.some((fee) => fee.code_claim === code && fee.is_paid)
}
