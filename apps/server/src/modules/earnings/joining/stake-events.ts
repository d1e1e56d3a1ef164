import { amount, type Dct } from '@dct/money'
import { invariant } from '../../../platform/errors.ts'
import type { ChainEvent } from '../../chain/index.ts'

/** The staking contract's event for a new stake. */
export type StakedEvent = {
  stakeId: bigint
  staker: Buffer
  planCode: string
  amount: Dct
  reward: Dct
  startedAt: Date
  endsAt: Date
  txHash: Buffer
  logIndex: number
  blockNumber: bigint
}

export type ReleasedEvent = { stakeId: bigint; amount: Dct; txHash: Buffer; at: Date }

export function readStaked(event: ChainEvent): StakedEvent {
  return {
    stakeId: BigInt(argOf(event, 'stakeId')),
    staker: Buffer.from(argOf(event, 'staker').slice(2), 'hex'),
    planCode: argOf(event, 'planCode'),
    amount: amount('DCT', BigInt(argOf(event, 'amount'))),
    reward: amount('DCT', BigInt(argOf(event, 'reward'))),
    startedAt: instantOf(argOf(event, 'start')),
    endsAt: instantOf(argOf(event, 'end')),
    txHash: event.txHash,
    logIndex: event.logIndex,
    blockNumber: event.blockNumber,
  }
}

export function readReleased(event: ChainEvent): ReleasedEvent {
  return {
    stakeId: BigInt(argOf(event, 'stakeId')),
    amount: amount('DCT', BigInt(argOf(event, 'amount'))),
    txHash: event.txHash,
    at: event.blockTime,
  }
}

function instantOf(seconds: string): Date {
  return new Date(Number(seconds) * 1_000)
}

function argOf(event: ChainEvent, name: string): string {
  const value = event.args[name]
  invariant(value !== undefined, `${event.name} without ${name}`)
  return value
}
