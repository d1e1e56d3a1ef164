/** `npm run reproduce`: makes contracts and pages twice from the same sources, and compares every byte. */
import { createHash } from 'node:crypto'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'vite'
import { generateContractAbi } from '../contracts/scripts/generate.ts'
import { verifyPage } from './build-verify.ts'
import { ROOT } from './repository.ts'

type Files = Map<string, string>

const hashOf = (content: string | Buffer) => createHash('sha256').update(content).digest('hex')

async function makeAll(): Promise<Files> {
  const files: Files = new Map()
  for (const [name, content] of generateContractAbi())
    files.set(`contracts/${name}`, hashOf(content))
  for (const [name, content] of await verifyPage()) files.set(name, hashOf(content))
  const outDir = mkdtempSync(join(tmpdir(), 'dct-web-'))
  try {
    await build({
      root: join(ROOT, 'apps/web'),
      logLevel: 'error',
      build: { outDir, emptyOutDir: true },
    })
    for (const path of globSync('**/*.*', { cwd: outDir })) {
      files.set(`web/${path}`, hashOf(readFileSync(join(outDir, path))))
    }
  } finally {
    rmSync(outDir, { recursive: true, force: true })
  }
  return files
}

const [first, second] = [await makeAll(), await makeAll()]
const different = [...new Set([...first.keys(), ...second.keys()])].filter(
  (path) => first.get(path) !== second.get(path),
)
for (const path of different) console.error(`${path} differs`)
const lines = [...first].map(([path, hash]) => `${hash}  ${path}`).toSorted()
console.log(
  `${first.size} files, ${different.length} different; together ${hashOf(lines.join('\n'))}`,
)
process.exitCode = different.length === 0 ? 0 : 1
