/** Tells the model what became final on the chains, in the order of the blocks. */
import { stakingAbi, tokenAbi } from '@dct/contract-abi'
import { amount } from '@dct/money'
import { decodeEventLog, type Hex } from 'viem'
import type { Log } from '../chains/chain.ts'
import { claimPaidBy, dayOf, excuseOne, type Payment, receive, stake } from '../model/books.ts'
import { PLACES, tronText } from '../world/chains.ts'
import type { Stage } from './stage.ts'

export function tellFinal(stage: Stage): void {
  tellTron(stage)
  tellBsc(stage)
}

/**
 * A stake excuses the days that had begun and ended before it was final: nobody could claim from it yet. Those after it
 * was final depend on when the service books it, see late.ts.
 */
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
      const begun = stake(books, { ...made, stake: amount('DCT', base as bigint) })
      for (let day = dayOf(made.at); day < world.day; day += 1) excuseOne(begun, day)
    }
  }
}

export function tellBsc(stage: Stage): void {
  for (const payment of finalPayments(stage)) {
    noteWait(stage, payment)
    const found = claimPaidBy(stage.books, payment)
    receive(stage.books, payment)
    if (found === undefined) continue
    const { earning, claim } = found
    stage.paidFees.push({ holder: earning.staker, code: claim.code, at: payment.at })
  }
  stage.positions.bsc = stage.world.chains.bsc.final.number
}

/** Excuses the days that began since the payment, if it pays a fee that was not settled when today began. */
export function noteWait(stage: Stage, payment: Payment): void {
  const { books, seen, world, coverage } = stage
  const found = claimPaidBy(books, payment)
  if (found === undefined || seen.has(found.claim.code)) return
  for (let day = dayOf(payment.at) + 1; day <= world.day; day += 1) {
    excuseOne(found.earning, day)
    coverage.reach('state', 'a fee on chain that is not settled')
  }
}

/** Payments of fees on chain that the model has not booked yet. */
export function finalPayments({ world, positions }: Stage): Payment[] {
  const { bsc } = world.chains
  const found: Payment[] = []
  for (let number = positions.bsc + 1; number <= bsc.final.number; number += 1) {
    const block = bsc.blockAt(number)
    for (const log of block.included.flatMap(({ logs }) => logs)) {
      const event = read(tokenAbi, log)
      if (event?.name !== 'Transfer') continue
      const { from, to, value } = event.args
      const receiver = String(to).toLowerCase() as Hex
      if (log.address !== PLACES.usdt || !world.receivers.has(receiver)) continue
      found.push({
        ...{ to: receiver, from: String(from).toLowerCase(), amount: value as bigint },
        ...{ block: block.number, at: block.time },
      })
    }
  }
  return found
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
