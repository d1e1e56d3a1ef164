import { sha256 } from '@noble/hashes/sha2.js'
import { hex } from '@scure/base'
import { parseTronAddress } from './addresses.ts'

/*
 * A Merkle sum tree over what is owed: every node commits to the sums of both its children, so nobody can leave out a
 * holder, or shorten one, without all the others' paths leading elsewhere. All hashes are SHA-256, all sums are whole
 * base units in 32 bytes, big-endian.
 *
 *   leaf = hash(0x00, day as YYYY-MM-DD, 20 bytes of the Tron address, 32 bytes of salt, what is owed)
 *   node = hash(0x01, left hash, left sum, right hash, right sum)
 */

export type SumNode = { readonly hash: Uint8Array; readonly sum: bigint }

/** What one holder is owed at the end of a business day. The salt keeps others from guessing whose leaf it is. */
export type OwedLeaf = {
  readonly day: string
  /** The 20 bytes of the Tron address. */
  readonly holder: Uint8Array
  readonly salt: Uint8Array
  /** USDT base units. */
  readonly owed: bigint
}

/** The side of a path's step is that of the node beside it. */
export type PathStep = {
  readonly side: 'left' | 'right'
  readonly hash: string
  readonly sum: string
}

/** What a holder is given: hashes as hex without 0x, sums as whole numbers of base units. */
export type InclusionProof = {
  readonly day: string
  readonly tron_address: string
  readonly owed: string
  readonly salt: string
  readonly path: readonly PathStep[]
}

/** What everybody is shown of a day. */
export type PublishedSum = { readonly day: string; readonly root: string; readonly sum: string }

/**
 * What is wrong with a proof. NOT_IN_TREE: the leaf, as stated, is not below the published root. SUM_DIFFERS: the
 * published sum is not the tree's.
 */
export type InclusionFault = 'UNREADABLE' | 'OTHER_DAY' | 'NOT_IN_TREE' | 'SUM_DIFFERS'

const HASH_BYTES = 32
/** Far above any supply; sums of such amounts never overflow 32 bytes. */
const MAX_SUM = 2n ** 128n
const MAX_DEPTH = 64
/** Fills the place beside the last node of a level with an odd number of them; alone, it is a tree of nothing. */
export const NOTHING: SumNode = { hash: new Uint8Array(HASH_BYTES), sum: 0n }

export function leafOf({ day, holder, salt, owed }: OwedLeaf): SumNode {
  const parts = [Uint8Array.of(0), new TextEncoder().encode(day), holder, salt, bytesOf(owed)]
  return { hash: hashOf(parts), sum: owed }
}

export function parentOf(left: SumNode, right: SumNode): SumNode {
  const parts = [Uint8Array.of(1), left.hash, bytesOf(left.sum), right.hash, bytesOf(right.sum)]
  return { hash: hashOf(parts), sum: left.sum + right.sum }
}

/** A business day as the vault numbers it: 20260130n for 2026-01-30. */
export function publishedDay(day: string): bigint {
  return BigInt(day.replaceAll('-', ''))
}

/** Where the nodes beside a leaf's path stand, from the leaf upward. */
export function pathPlaces(index: number, depth: number) {
  return Array.from({ length: depth }, (_, level) => {
    const place = Math.floor(index / 2 ** level)
    return place % 2 === 0
      ? { level, position: place + 1, side: 'right' as const }
      : { level, position: place - 1, side: 'left' as const }
  })
}

/** A step of a path; without a node, the place beside is empty. */
export function pathStep(side: PathStep['side'], { hash, sum } = NOTHING): PathStep {
  return { side, hash: hex.encode(hash), sum: `${sum}` }
}

/** Follows a path from the holder's own leaf to the root, and compares that with what everybody is shown. */
export function checkInclusion(
  proof: InclusionProof,
  published: PublishedSum,
): InclusionFault | undefined {
  const root = rootOf(proof)
  const publishedSum = readSum(published.sum)
  if (root === undefined || publishedSum === undefined) return 'UNREADABLE'
  if (proof.day !== published.day) return 'OTHER_DAY'
  if (hex.encode(root.hash) !== published.root.toLowerCase()) return 'NOT_IN_TREE'
  return root.sum === publishedSum ? undefined : 'SUM_DIFFERS'
}

function rootOf({ day, tron_address, owed, salt, path }: InclusionProof): SumNode | undefined {
  const holder = parseTronAddress(tron_address)
  const amount = readSum(owed)
  const secret = readHash(salt)
  const isReadable = /^\d{4}-\d\d-\d\d$/.test(day) && path.length <= MAX_DEPTH
  if (!isReadable || holder === undefined || amount === undefined || secret === undefined) {
    return undefined
  }
  let node = leafOf({ day, holder, salt: secret, owed: amount })
  for (const { side, hash, sum } of path) {
    const beside = { hash: readHash(hash), sum: readSum(sum) }
    if (!isNode(beside)) return undefined
    node = side === 'left' ? parentOf(beside, node) : parentOf(node, beside)
  }
  return node
}

function isNode(node: { hash: Uint8Array | undefined; sum: bigint | undefined }): node is SumNode {
  return node.hash !== undefined && node.sum !== undefined
}

function readSum(text: string): bigint | undefined {
  if (!/^\d{1,40}$/.test(text)) return undefined
  const sum = BigInt(text)
  return sum < MAX_SUM ? sum : undefined
}

function readHash(text: string): Uint8Array | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? hex.decode(text.toLowerCase()) : undefined
}

function bytesOf(sum: bigint): Uint8Array {
  if (sum < 0n || sum >= MAX_SUM) throw new RangeError(`${sum} cannot be a sum`)
  return hex.decode(sum.toString(16).padStart(2 * HASH_BYTES, '0'))
}

function hashOf(parts: readonly Uint8Array[]): Uint8Array {
  const hash = sha256.create()
  for (const part of parts) hash.update(part)
  return hash.digest()
}
