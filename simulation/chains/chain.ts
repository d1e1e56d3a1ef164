/**
 * A chain in memory: blocks that become final after some others, a waiting room, reorganisations of what is not final.
 * What transactions do is given by `execute`; every block keeps the state after it, so that nodes can answer for any.
 */

import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import { copyOf } from './copy.ts'

export type Log = { address: Hex; topics: readonly Hex[]; data: Hex }

/** A transaction as a wallet or the service sends it. */
export type Transaction = {
  hash: Hex
  from: Hex
  to: Hex
  data: Hex
  /** Counted per sender; undefined on a chain without nonces. */
  nonce?: number
  gasPrice?: bigint
  /** No block of this time or later includes it. */
  expiresAt?: number
  /** Whether somebody sent it by hand, and not the service: with a key of the service it is a theft. */
  isByHand?: boolean
}

export type Outcome = {
  succeeded: boolean
  /** What a node names a failure. */
  failure: 'REVERT' | 'OUT_OF_ENERGY' | null
  output: Hex
  logs: readonly Log[]
  /** Sun or wei. */
  fee: bigint
}
export type Included = Transaction & Outcome & { index: number }

export type Block<S> = {
  number: number
  hash: Hex
  parent: Hex
  /** Milliseconds since 1970, whole seconds. */
  time: number
  included: readonly Included[]
  /** After the block; undefined once it is long past. */
  state: S | undefined
}

export type ChainRules<S> = {
  name: 'TRON' | 'BSC'
  /** A block is final when this many were built on it. */
  finality: number
  hashOf(number: number, digest: Hex): Hex
  /** Changes the state, or leaves it as it was. */
  execute(state: S, transaction: Transaction, block: { time: number }): Outcome
  /** Whether a block may include it now; `never` drops it. */
  admits(state: S, transaction: Transaction, block: { time: number }): 'now' | 'later' | 'never'
  first: S
  firstTime: number
}

/** Older states are dropped, as nodes drop them. */
const KEPT_STATES = 40

export class SimulatedChain<S> {
  readonly rules: ChainRules<S>
  readonly blocks: Block<S>[] = []
  waiting: Transaction[] = []
  /** Set while nobody makes blocks, or only of what pays better. */
  isStuck = false
  #byHash = new Map<Hex, { block: number; included: Included }>()
  #salt = 0
  /** Whether the block before the newest one may have the same state: not even a copy is made for an empty block. */
  #isShared = false
  /** The number of the newest final block: what was final once stays so. */
  #final = 0

  constructor(rules: ChainRules<S>) {
    this.rules = rules
    this.#append({ time: rules.firstTime, included: [], state: copyOf(rules.first) })
  }

  get head(): Block<S> {
    return this.blockAt(this.blocks.length - 1)
  }

  get final(): Block<S> {
    return this.blockAt(this.#final)
  }

  blockAt(number: number): Block<S> {
    const block = this.blocks[number]
    if (block === undefined) throw new RangeError(`${this.rules.name} has no block ${number}`)
    return block
  }

  /** The state after the newest block, which whoever asks for it may change. */
  get state(): S {
    if (this.#isShared) this.head.state = copyOf(this.#newest)
    this.#isShared = false
    return this.#newest
  }

  get #newest(): S {
    const { state } = this.head
    if (state === undefined) throw new Error('the newest block has a state')
    return state
  }

  find(hash: Hex): { block: Block<S>; included: Included } | undefined {
    const found = this.#byHash.get(hash)
    return found && { block: this.blockAt(found.block), included: found.included }
  }

  /** Puts a transaction into the waiting room. @returns false if it is there or in a block already */
  send(transaction: Transaction): boolean {
    const isKnown =
      this.#byHash.has(transaction.hash) ||
      this.waiting.some(({ hash }) => hash === transaction.hash)
    if (!isKnown) this.waiting.push(transaction)
    return !isKnown
  }

  /** Makes one block with whatever of the waiting room it admits. */
  mine(time: number): Block<S> {
    const at = Math.max(Math.floor(time / 1_000) * 1_000, this.head.time + 1_000)
    if (this.isStuck || this.waiting.length === 0) {
      const empty = this.#append({ time: at, included: [], state: this.#newest })
      this.#isShared = true
      return empty
    }
    const state = copyOf(this.#newest)
    const included: Included[] = []
    for (let progress = true; progress; ) {
      progress = false
      for (const transaction of this.waiting.toSorted(byPrice)) {
        const verdict = this.rules.admits(state, transaction, { time: at })
        if (verdict === 'later') continue
        this.waiting = this.waiting.filter(({ hash }) => hash !== transaction.hash)
        if (verdict === 'never') continue
        const outcome = this.rules.execute(state, transaction, { time: at })
        included.push({ ...transaction, ...outcome, index: included.length })
        progress = true
      }
    }
    this.#isShared = false
    return this.#append({ time: at, included, state })
  }

  /** The same chain, which goes on by itself. */
  copy(): SimulatedChain<S> {
    const twin = new SimulatedChain(this.rules)
    const copies = new Map<S | undefined, S | undefined>([[undefined, undefined]])
    for (const { state } of this.blocks) if (!copies.has(state)) copies.set(state, copyOf(state))
    const blocks = this.blocks.map((block) => ({ ...block, state: copies.get(block.state) }))
    twin.blocks.splice(0, 1, ...blocks)
    twin.#isShared = true
    twin.#final = this.#final
    twin.waiting = [...this.waiting]
    twin.#byHash = new Map(this.#byHash)
    return twin
  }

  /** Takes the newest blocks back, none of which is final. Their transactions wait again, or are lost. */
  undo(depth: number, isLost: (transaction: Transaction) => boolean): void {
    const most = Math.min(depth, this.head.number - this.#final)
    for (let undone = 0; undone < most; undone += 1) {
      const block = this.blocks.pop()
      this.#isShared = true
      for (const { index: _, ...transaction } of block?.included ?? []) {
        this.#byHash.delete(transaction.hash)
        if (!isLost(transaction)) this.waiting.push(transaction)
      }
    }
    this.#salt += 1
  }

  /**
   * Replaces the newest blocks from some below the final one on: what no chain should ever do. Their transactions are in
   * the new blocks too, apart from those that are lost for good.
   */
  replaceFinal(depth: number, isLost: (transaction: Transaction) => boolean): void {
    const replaced = this.blocks.splice(Math.max(1, this.#final - depth + 1))
    this.#salt += 1
    this.#isShared = true
    this.#final = this.blocks.length - 1
    for (const { included } of replaced) for (const { hash } of included) this.#byHash.delete(hash)
    for (const { time, included } of replaced) {
      const state = copyOf(this.state)
      const kept = included.filter((one) => !isLost(one))
      const again = kept.map((one, index) => {
        return { ...one, ...this.rules.execute(state, one, { time }), index }
      })
      this.#append({ time, included: again, state })
    }
  }

  #append({ time, included, state }: Pick<Block<S>, 'time' | 'included' | 'state'>): Block<S> {
    const number = this.blocks.length
    const parent = this.blocks.at(-1)?.hash ?? `0x${'00'.repeat(32)}`
    const contents = [
      this.rules.name,
      number,
      parent,
      time,
      this.#salt,
      ...included.map(({ hash }) => hash),
    ]
    const digest = createHash('sha256').update(contents.join(' ')).digest('hex')
    const block = {
      number,
      hash: this.rules.hashOf(number, `0x${digest}`),
      parent,
      time,
      included,
      state,
    }
    this.blocks.push(block)
    this.#final = Math.max(this.#final, number - this.rules.finality)
    for (const one of included) this.#byHash.set(one.hash, { block: number, included: one })
    const old = this.blocks[number - KEPT_STATES]
    if (old !== undefined) old.state = undefined
    return block
  }
}

function byPrice(a: Transaction, b: Transaction): number {
  return Number((b.gasPrice ?? 0n) - (a.gasPrice ?? 0n))
}
