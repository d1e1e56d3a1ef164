/** `npm run build`: writes the whole service to dist/, ready to be copied to where it runs. The image is made from it. */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { writeService } from './releases/write-service.ts'
import { ROOT } from './repository.ts'

const DIST = join(ROOT, 'dist')

await import('./build-web.ts')
if (process.exitCode) process.exit()
rmSync(DIST, { recursive: true, force: true })
const version = await writeService(DIST, join(ROOT, 'apps/web/dist'))
console.log(`Wrote version ${version} to ${DIST}.`)
