/** Fails when a generated file differs from what its generator makes of the sources now. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generateContractAbi } from '../contracts/scripts/generate.ts'

const ROOT = join(import.meta.dirname, '..')
const ABI_FOLDER = 'packages/contract-abi/src/generated'

const stale = [...generateContractAbi()]
  .map(([name, content]) => ({ path: join(ABI_FOLDER, name), content }))
  .filter(({ path, content }) => {
    const file = join(ROOT, path)
    return !existsSync(file) || readFileSync(file, 'utf8') !== content
  })

for (const { path } of stale) console.error(`${path} is stale: run npm run build:contracts`)
process.exitCode = stale.length === 0 ? 0 : 1
