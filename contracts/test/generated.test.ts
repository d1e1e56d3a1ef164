import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { generateContractAbi } from '../scripts/generate.ts'
import { CONTRACTS_DIR } from '../scripts/solidity.ts'

const GENERATED_DIR = join(CONTRACTS_DIR, '../packages/contract-abi/src/generated')

test('the checked-in ABIs and bytecodes are what the sources compile to (npm run build:contracts)', () => {
  const generated = generateContractAbi()
  expect(readdirSync(GENERATED_DIR).toSorted()).toEqual([...generated.keys()].toSorted())
  for (const [name, content] of generated) {
    expect(readFileSync(join(GENERATED_DIR, name), 'utf8') === content, name).toBe(true)
  }
})
