import { chmodSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT, readSource } from '../repository.ts'
import { writeRelease } from './archive.ts'
import { bundleServer } from './bundle-server.ts'

/** What is copied as it is, and the name that it gets. */
const COPIED = {
  'apps/server/dct.mjs': 'dct',
  'apps/server/unit-settings.mjs': 'unit-settings.mjs',
  'node_modules/@fastify/swagger-ui/static': 'node_modules/@fastify/swagger-ui/static',
  'operations/healthy.mjs': 'operations/healthy.mjs',
}

/**
 * Writes the whole service into a folder: the server with its packages, the migrations, the pages, and the command `dct`.
 * It needs only Node.js there.
 * @param pages the folder of the built pages
 * @returns the version
 */
export async function writeService(folder: string, pages: string): Promise<string> {
  const { version } = JSON.parse(readSource('package.json')) as { version: string }
  writeRelease(await bundleServer(version), folder)
  for (const [from, to] of Object.entries(COPIED))
    cpSync(join(ROOT, from), join(folder, to), { recursive: true })
  cpSync(pages, join(folder, 'apps/web/dist'), { recursive: true })
  chmodSync(join(folder, 'dct'), 0o755)
  return version
}
