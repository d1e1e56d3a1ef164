import { createHash } from 'node:crypto'
import { hex } from '@scure/base'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatTronAddress } from './addresses.ts'
import {
  checkInclusion,
  type InclusionProof,
  leafOf,
  type PublishedSum,
  pathPlaces,
  pathStep,
  type SumNode,
} from './sum-tree.ts'
import { makeSumTree } from './testing/make-sum-tree.ts'

const DAY = '2026-03-01'
const holderOf = (index: number) => Uint8Array.from({ length: 20 }, (_, at) => index + at)
const saltOf = (index: number) => Uint8Array.from({ length: 32 }, (_, at) => 7 * index + at)

function publish(amounts: readonly bigint[]): { published: PublishedSum; levels: SumNode[][] } {
  const levels = makeSumTree(
    amounts.map((owed, index) =>
      leafOf({ day: DAY, holder: holderOf(index), salt: saltOf(index), owed }),
    ),
  )
  const root = levels.at(-1)?.[0] ?? { hash: new Uint8Array(32), sum: 0n }
  return { published: { day: DAY, root: hex.encode(root.hash), sum: `${root.sum}` }, levels }
}

function proofOf(levels: SumNode[][], index: number, owed: bigint): InclusionProof {
  return {
    day: DAY,
    tron_address: formatTronAddress(holderOf(index)),
    owed: `${owed}`,
    salt: hex.encode(saltOf(index)),
    path: pathPlaces(index, levels.length - 1).map(({ level, position, side }) =>
      pathStep(side, levels[level]?.[position]),
    ),
  }
}

const AMOUNTS = [30n, 7n, 1_000_000_000_000_000_000n, 0n, 12n]

/** The holder at index 1, who is owed 7, in a list of these amounts. */
const inListOf = (amounts: readonly bigint[]) => {
  const { published, levels } = publish(amounts)
  return { published, proof: proofOf(levels, 1, amounts[1] ?? 0n) }
}

test('every holder of a list of any length is shown to be in it, and the sum is theirs', () => {
  const amounts = fc.array(fc.bigInt({ min: 0n, max: 10n ** 30n }), { minLength: 1, maxLength: 40 })
  fc.assert(
    fc.property(amounts, (owed) => {
      const { published, levels } = publish(owed)
      expect(published.sum).toBe(`${owed.reduce((a, b) => a + b)}`)
      for (const [index, amount] of owed.entries()) {
        expect(checkInclusion(proofOf(levels, index, amount), published)).toBeUndefined()
      }
    }),
    { numRuns: 50 },
  )
})

test('a holder who is shown more than the list holds finds out', () => {
  const { proof, published } = inListOf(AMOUNTS)
  expect(checkInclusion({ ...proof, owed: '8' }, published)).toBe('NOT_IN_TREE')
})

test('a holder who was left out finds out, whatever path is made up', () => {
  const { proof } = inListOf(AMOUNTS)
  const { published } = publish(AMOUNTS.filter((_, index) => index !== 1))
  expect(checkInclusion(proof, published)).toBe('NOT_IN_TREE')
  const others = publish(AMOUNTS.filter((_, index) => index !== 1)).levels
  expect(checkInclusion(proofOf(others, 1, 7n), published)).toBe('NOT_IN_TREE')
  expect(checkInclusion({ ...proof, path: [] }, published)).toBe('NOT_IN_TREE')
})

test('a published sum that is too small is found by every holder', () => {
  const { proof, published } = inListOf(AMOUNTS)
  const short = { ...published, sum: `${BigInt(published.sum) - 1n}` }
  expect(checkInclusion(proof, short)).toBe('SUM_DIFFERS')
})

test('a neighbour’s sum made smaller in the path leads elsewhere', () => {
  const { proof, published } = inListOf(AMOUNTS)
  const path = proof.path.map((step, at) => (at === 0 ? { ...step, sum: '0' } : step))
  expect(checkInclusion({ ...proof, path }, published)).toBe('NOT_IN_TREE')
})

test('a negative, endless or overflowing sum is not read at all', () => {
  const { proof, published } = inListOf(AMOUNTS)
  for (const sum of ['-1', '1e3', `${2n ** 128n}`, '']) {
    const path = proof.path.map((step) => ({ ...step, sum }))
    expect(checkInclusion({ ...proof, path }, published)).toBe('UNREADABLE')
    expect(checkInclusion(proof, { ...published, sum })).toBe('UNREADABLE')
  }
  expect(checkInclusion({ ...proof, path: Array(65).fill(proof.path[0]) }, published)).toBe(
    'UNREADABLE',
  )
})

test('a proof of one day is none of another', () => {
  const { proof, published } = inListOf(AMOUNTS)
  expect(checkInclusion(proof, { ...published, day: '2026-03-02' })).toBe('OTHER_DAY')
  const moved = { ...proof, day: '2026-03-02' }
  expect(checkInclusion(moved, { ...published, day: '2026-03-02' })).toBe('NOT_IN_TREE')
})

test('a leaf is what the description says, by another implementation of the hash', () => {
  const leaf = leafOf({ day: DAY, holder: holderOf(1), salt: saltOf(1), owed: 7n })
  const owed = Buffer.alloc(32)
  owed[31] = 7
  const bytes = Buffer.concat([Buffer.of(0), Buffer.from(DAY), holderOf(1), saltOf(1), owed])
  expect(hex.encode(leaf.hash)).toBe(createHash('sha256').update(bytes).digest('hex'))
})
