/** Fails if a generated file differs from what its generator produces from the current sources. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { generateContractAbi } from '../contracts/scripts/generate.ts'
import { verifyPage } from './build-verify.ts'
import { ROOT, readSource } from './repository.ts'
import { SETTINGS_DOCUMENT, withSettingsTable } from './settings-table.ts'

const ABI_FOLDER = 'packages/contract-abi/src/generated'

const generated = [
  ...[...generateContractAbi()].map(([name, content]) => ({
    ...{ path: join(ABI_FOLDER, name), content, command: 'build:contracts' },
  })),
  {
    path: SETTINGS_DOCUMENT,
    content: withSettingsTable(readSource(SETTINGS_DOCUMENT)),
    command: 'build:settings',
  },
]
for (const [path, content] of await verifyPage()) {
  generated.push({ path, content, command: 'build:verify' })
}
const stale = generated.filter(
  ({ path, content }) => !existsSync(join(ROOT, path)) || readSource(path) !== content,
)

for (const { path, command } of stale) console.error(`${path} is stale: run npm run ${command}`)
process.exitCode = stale.length === 0 ? 0 : 1
