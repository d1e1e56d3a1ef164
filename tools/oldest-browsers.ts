/**
 * Builds the web app and fails if its scripts or styles, those of libraries included, use anything that the oldest
 * supported browsers lack: apps/web/build/browsers/oldest-browsers.ts.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findStyles } from '../apps/web/build/browsers/find-styles.ts'
import { findUses } from '../apps/web/build/browsers/find-uses.ts'
import { ADDED, HARMLESS_STYLES, HARMLESS_USES } from '../apps/web/build/browsers/harmless.ts'
import { missingFeatures } from '../apps/web/build/browsers/missing-features.ts'
import { ROOT } from './repository.ts'

const DIST = join(ROOT, 'apps/web/dist')

execFileSync(process.execPath, [...process.execArgv, join(ROOT, 'tools/build-web.ts')])
const missing = missingFeatures()
const files = readdirSync(DIST, { recursive: true, encoding: 'utf8' })
const found = new Map<string, string[]>()
const note = (use: string, file: string) => found.set(use, [...(found.get(use) ?? []), file])
for (const file of files) {
  const content = () => readFileSync(join(DIST, file), 'utf8')
  if (file.endsWith('.js')) for (const use of findUses(file, content(), missing)) note(use, file)
  if (file.endsWith('.css')) for (const use of findStyles(content())) note(use, file)
}
const harmless: Readonly<Record<string, string>> = { ...HARMLESS_USES, ...HARMLESS_STYLES }
/** No page, so nothing is added to it. */
const WORKER = 'service-worker.js'
for (const [use, where] of found) {
  const isMissed = harmless[use] === ADDED && where.includes(WORKER)
  if (harmless[use] !== undefined && !isMissed) continue
  console.error(`${use}: some supported browser lacks it: ${where.join(', ')}`)
  process.exitCode = 1
}
for (const use of Object.keys(harmless)) {
  if (found.has(use)) continue
  console.error(`${use}: no longer used, so it needs no reason in harmless.ts`)
  process.exitCode = 1
}
