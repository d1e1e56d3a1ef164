/** Tells the model what became final on the chains, in the order of the blocks. */
import { stakingAbi, tokenAbi } from '@dct/contract-abi'
import { amount } from '@dct/money'
import { decodeEventLog, type Hex } from 'viem'
import type { Log } from '../chains/chain.ts'
import { receive, stake } from '../model/books.ts'
import { PLACES, tronText } from '../world/chains.ts'
import type { Stage } from './stage.ts'

export function tellFinal(stage: Stage): void {
  tellTron(stage)
  tellBsc(stage)
}

export function tellTron({ world, books, positions }: Stage): void {
  const { tron } = world.chains
  for (; positions.tron < tron.final.number; positions.tron += 1) {
    const block = tron.blockAt(positions.tron + 1)
    for (const log of block.included.flatMap(({ logs }) => logs)) {
      if (log.address !== PLACES.staking) continue
      const event = read(stakingAbi, log)
      if (event?.name !== 'Staked') continue
      const { planCode, staker, amount: base } = event.args
      // A plan that nobody told the model about is a thief's: its stakes are judged by the chain alone.
      if (!books.plans.has(String(planCode))) continue
      const made = { plan: String(planCode), staker: tronText(staker as Hex), at: block.time }
      stake(books, { ...made, stake: amount('DCT', base as bigint) })
    }
  }
}

export function tellBsc({ world, books, positions }: Stage): void {
  const { bsc } = world.chains
  for (; positions.bsc < bsc.final.number; positions.bsc += 1) {
    const block = bsc.blockAt(positions.bsc + 1)
    for (const log of block.included.flatMap(({ logs }) => logs)) {
      const event = read(tokenAbi, log)
      if (event?.name !== 'Transfer') continue
      const { from, to, value } = event.args
      const receiver = String(to).toLowerCase() as Hex
      if (!world.receivers.has(receiver)) continue
      receive(books, {
        ...{ to: receiver, from: String(from).toLowerCase(), amount: value as bigint },
        ...{ block: block.number, at: block.time },
      })
    }
  }
}

type Event = { name: string; args: Readonly<Record<string, unknown>> }

function read(abi: typeof stakingAbi | typeof tokenAbi, log: Log): Event | undefined {
  try {
    const topics = log.topics as [Hex, ...Hex[]]
    const { eventName, args } = decodeEventLog({ abi, data: log.data, topics })
    return { name: eventName, args: args as Event['args'] }
  } catch {
    // An event of another contract.
    return undefined
  }
}
