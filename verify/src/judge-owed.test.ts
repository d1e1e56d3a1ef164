import { formatTronAddress } from '@dct/rules/addresses'
import { leafOf, pathPlaces, pathStep } from '@dct/rules/sum-tree'
import { makeSumTree } from '@dct/rules/testing/make-sum-tree'
import { expect, test } from 'vitest'
import {
  judgeOwed,
  type OwedFile,
  type OwedQuestion,
  readOwedFile,
  type StatedOwed,
} from './judge-owed.ts'

const DAY = '2026-03-01'
const ME = 2
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
const holder = (index: number) => new Uint8Array(20).fill(index + 1)
const salt = (index: number) => new Uint8Array(32).fill(index + 1)

/** The file of the holder who is owed the third of these amounts, in an honest list of all of them. */
function fileFor(amounts: readonly bigint[]): OwedFile {
  const levels = makeSumTree(
    amounts.map((owed, at) => leafOf({ day: DAY, holder: holder(at), salt: salt(at), owed })),
  )
  const root = levels.at(-1)?.[0]
  if (root === undefined) throw new Error('no root')
  return {
    published: { day: DAY, root: hexOf(root.hash), sum: `${root.sum}` },
    proof: {
      day: DAY,
      tron_address: formatTronAddress(holder(ME)),
      owed: `${amounts[ME]}`,
      salt: hexOf(salt(ME)),
      path: pathPlaces(ME, levels.length - 1).map(({ level, position, side }) =>
        pathStep(side, levels[level]?.[position]),
      ),
    },
  }
}

const HONEST = fileFor([5n, 10n, 20n, 40n])
const codes = (question: Omit<OwedQuestion, 'stated'>, stated?: StatedOwed) =>
  judgeOwed({ ...question, stated }).map(({ code }) => code)
/** What the vault states of the honest list. */
const STATED: StatedOwed = { root: HONEST.published.root, sum: 75n, times: 1n }

test('an honest service passes all of a holder’s checks', () => {
  const findings = judgeOwed({ ...HONEST, shown: 20n, held: 75n, stated: STATED })
  const all = ['IN_LIST', 'AS_SHOWN', 'HELD_COVERS', 'AS_STATED']
  expect(findings.map(({ code }) => code)).toEqual(all)
  expect(findings.every(({ isGood }) => isGood)).toBe(true)
})

test('liar: the pages show a holder more than the list holds', () => {
  const toldMore = { ...HONEST, shown: 30n, held: 75n }
  expect(codes(toldMore)).toContain('SHOWN_DIFFERS')
  const madeUp = HONEST.proof && { ...HONEST.proof, owed: '30' }
  expect(codes({ ...toldMore, proof: madeUp })).toContain('NOT_IN_TREE')
})

test('liar: a list without the holder', () => {
  const { published } = fileFor([5n, 10n, 0n, 40n])
  expect(codes({ ...HONEST, published, shown: 20n, held: 75n })).toContain('NOT_IN_TREE')
  expect(codes({ published, proof: null, shown: 20n, held: 75n })).toEqual([
    'LEFT_OUT',
    'HELD_COVERS',
  ])
})

test('liar: a sum that is too small', () => {
  const published = { ...HONEST.published, sum: '60' }
  expect(codes({ ...HONEST, published, shown: 20n, held: 60n })).toContain('SUM_DIFFERS')
})

test('liar: a vault that holds less than the sum', () => {
  expect(codes({ ...HONEST, shown: 20n, held: 74n })).toEqual([
    'IN_LIST',
    'AS_SHOWN',
    'HELD_IS_LESS',
  ])
})

test('liar: another list in the vault than in the holder’s file, or none', () => {
  const asked = { ...HONEST, shown: undefined, held: undefined }
  const { published } = fileFor([5n, 10n, 20n])
  const ofAnother = { root: published.root, sum: 35n, times: 1n }
  expect(codes(asked, ofAnother)).toEqual(['IN_LIST', 'STATED_DIFFERS'])
  expect(codes(asked, { ...STATED, sum: 74n })).toContain('STATED_DIFFERS')
  expect(codes(asked, { ...STATED, times: 0n })).toContain('NOT_STATED')
  expect(codes(asked, { ...STATED, times: 2n })).toEqual(['IN_LIST', 'AS_STATED', 'CORRECTED'])
})

test('a holder to whom nothing is owed is told so', () => {
  expect(
    codes({ published: HONEST.published, proof: null, shown: undefined, held: undefined }),
  ).toEqual(['NOTHING_OWED'])
})

test('a downloaded file is read as it was written, and a damaged one is refused in words', () => {
  expect(readOwedFile(JSON.stringify(HONEST))).toEqual(HONEST)
  expect(() => readOwedFile('{}')).toThrow('no published day')
  expect(() => readOwedFile(JSON.stringify({ ...HONEST, proof: { day: DAY } }))).toThrow(
    'incomplete',
  )
})
