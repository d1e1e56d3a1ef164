/**
 * `npm run build`: writes the whole service to dist/, ready to be copied to where it runs: the server with its packages,
 * the migrations, the pages, and the command `dct`. It needs only Node.js there. The image is made from it.
 */
import { chmodSync, cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeRelease } from './releases/archive.ts'
import { bundleServer } from './releases/bundle-server.ts'
import { ROOT, readSource } from './repository.ts'

const DIST = join(ROOT, 'dist')
/** Folders that the server serves. */
const SERVED = ['apps/web/dist', 'node_modules/@fastify/swagger-ui/static']

const { version } = JSON.parse(readSource('package.json')) as { version: string }

await import('./build-web.ts')
if (process.exitCode) process.exit()
rmSync(DIST, { recursive: true, force: true })
writeRelease(await bundleServer(version), DIST)
for (const folder of SERVED) cpSync(join(ROOT, folder), join(DIST, folder), { recursive: true })
cpSync(join(ROOT, 'apps/server/dct.mjs'), join(DIST, 'dct'))
chmodSync(join(DIST, 'dct'), 0o755)
console.log(`Wrote version ${version} to ${DIST}.`)
