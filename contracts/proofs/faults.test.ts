import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CONTRACTS_DIR } from '../scripts/solidity.ts'
import { FAULTS } from './faults.ts'
import { CONTRACTS } from './project.ts'

// The proofs themselves take an hour or two (`npm run prove`); what they are made of is looked at here.

test.each(FAULTS)('the fault "$name" can be planted', ({ file, find, replace }) => {
  const source = readFileSync(join(CONTRACTS_DIR, file), 'utf8')
  expect(source.split(find)).toHaveLength(2)
  expect(replace).not.toBe(find)
})

test.each(CONTRACTS)('a fault is planted for every property of %s', (name) => {
  const source = readFileSync(join(CONTRACTS_DIR, `proofs/solidity/${name}.sol`), 'utf8')
  const proofs = [...source.matchAll(/function (check_\w+)\(/g)].map(([, proof = '']) => proof)
  const broken = FAULTS.filter(({ contract }) => contract === name).map(({ check }) => check)
  expect(new Set(broken.map(propertyOf))).toEqual(new Set(proofs.map(propertyOf)))
  expect(broken.filter((proof) => !proofs.includes(proof))).toEqual([])
})

/** Two properties are proved call by call. */
const propertyOf = (proof: string) =>
  proof.replace(/^(check_books_balance|check_promise_stays)_.*/, '$1')
