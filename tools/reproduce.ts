/**
 * `npm run reproduce`: makes the contracts and the whole service twice from the same sources, and compares every byte.
 * `npm run reproduce -- FOLDER` compares a service that was built elsewhere, such as the folder /app of an image.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { generateContractAbi } from '../contracts/scripts/generate.ts'
import { verifyPage } from './build-verify.ts'
import { differencesOf, type Hashes, hashFolder, hashOf } from './releases/hash-files.ts'
import { writeService } from './releases/write-service.ts'
import { ROOT } from './repository.ts'

async function makeSources(): Promise<Hashes> {
  const made = [...generateContractAbi(), ...(await verifyPage())]
  return new Map(made.map(([path, content]) => [path, hashOf(content)]))
}

async function makeService(): Promise<Hashes> {
  const [pages, service] = ['dct-pages-', 'dct-service-'].map((name) =>
    mkdtempSync(join(tmpdir(), name)),
  ) as [string, string]
  try {
    await build({
      root: join(ROOT, 'apps/web'),
      logLevel: 'error',
      build: { outDir: pages, emptyOutDir: true },
    })
    await writeService(service, pages)
    return hashFolder(service)
  } finally {
    for (const folder of [pages, service]) rmSync(folder, { recursive: true, force: true })
  }
}

const [folder] = process.argv.slice(2)
const service = await makeService()
const differences =
  folder === undefined
    ? [
        ...differencesOf(service, await makeService()),
        ...differencesOf(await makeSources(), await makeSources()),
      ]
    : differencesOf(service, hashFolder(resolve(folder)))
for (const line of differences) console.error(line)
const lines = [...service].map(([path, hash]) => `${hash}  ${path}`).toSorted()
console.log(
  `${service.size} files, ${differences.length} different; together ${hashOf(lines.join('\n'))}`,
)
process.exitCode = differences.length === 0 ? 0 : 1
