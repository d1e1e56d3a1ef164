import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateContractAbi } from './generate.ts'
import { CONTRACTS_DIR } from './solidity.ts'

const generatedDir = join(CONTRACTS_DIR, '../packages/contract-abi/src/generated')
mkdirSync(generatedDir, { recursive: true })
for (const [name, content] of generateContractAbi()) {
  writeFileSync(join(generatedDir, name), content)
  console.log(`packages/contract-abi/src/generated/${name}`)
}
