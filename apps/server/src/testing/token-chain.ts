import type { Dct } from '@dct/money'
import type { DctMove, HoldingReaders } from '../modules/plans/index.ts'
import { dct } from './plans.ts'

/** The address that holds staked tokens. */
const STAKING = Buffer.alloc(20, 0x5a)
const START = 1_000n
/** How many blocks the latest final block is behind the head. */
const FINAL_AFTER = 19n

type Holder = { address: Buffer }
type Transfer = { block: bigint; from: Buffer; to: Buffer; amount: bigint; planCode?: string }

/** An in-memory DCT chain instead of a Tron node. Initially each owner holds 50 DCT. */
export class TokenChain {
  #newest = START
  #transfers: Transfer[]

  constructor(owners: readonly Holder[]) {
    this.#transfers = owners.map(({ address }) => ({
      ...{ block: 1n, from: Buffer.alloc(20), to: address, amount: dct('50') },
    }))
  }

  readonly readers: HoldingReaders = {
    readNewestBlock: async () => this.#newest,
    readFinalDct: async (address) => {
      const heldBlock = this.#newest - FINAL_AFTER
      return { held: this.#heldAt(address, heldBlock), heldBlock }
    },
    readDctMoves: async ({ addresses, from, to }) =>
      this.#transfers
        .filter(({ block }) => block >= from && block <= to)
        .flatMap(movesOf)
        .filter((move) => addresses.some((address) => address.equals(move.address))),
  }

  /** A holder's balance in the latest block. */
  held({ address }: Holder): Dct {
    return this.#heldAt(address, this.#newest) as Dct
  }

  /** Produces blocks without transfers. */
  pass(blocks: number): void {
    this.#newest += BigInt(blocks)
  }

  /** Transfers tokens in a new block: by default everything that the sender holds. */
  send(from: Holder, to: Holder, amount: bigint = this.held(from)): void {
    this.pass(1)
    this.sendInSameBlock(from, to, amount)
  }

  /** Transfers tokens in the latest block, after its other transfers. */
  sendInSameBlock(from: Holder, to: Holder, amount: bigint = this.held(from)): void {
    this.#transfers.push({ block: this.#newest, from: from.address, to: to.address, amount })
  }

  /** Locks tokens in a plan, in a new block. */
  stake(from: Holder, planCode: string, amount: bigint): void {
    this.pass(1)
    this.#transfers.push({ block: this.#newest, from: from.address, to: STAKING, amount, planCode })
  }

  /** Replaces the latest blocks by the same number of empty ones. */
  undo(blocks: number): void {
    const kept = this.#newest - BigInt(blocks)
    this.#transfers = this.#transfers.filter(({ block }) => block <= kept)
  }

  #heldAt(holder: Buffer, at: bigint): bigint {
    return this.#transfers
      .filter(({ block }) => block <= at)
      .flatMap(movesOf)
      .filter(({ address, planCode }) => address.equals(holder) && planCode === undefined)
      .reduce((sum, { amount }) => sum + amount, 0n)
  }
}

function movesOf({ block, from, to, amount, planCode }: Transfer): DctMove[] {
  return [
    { block, address: from, amount: -amount },
    { block, address: to, amount },
    ...(planCode === undefined ? [] : [{ block, address: from, amount, planCode }]),
  ]
}

/** Readers of a chain on which every address holds this amount and nothing moves. */
export function steadyReaders(held: Dct): HoldingReaders {
  return {
    readNewestBlock: async () => START,
    readFinalDct: async () => ({ held, heldBlock: START - FINAL_AFTER }),
    readDctMoves: async () => [],
  }
}
