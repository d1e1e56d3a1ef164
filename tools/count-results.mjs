// node tools/count-results.mjs STATUS: adds up reports/*.xml; the last line is 'N passed, N failed'.
// STATUS is not 0 when a step failed; such a run never counts as one without failures.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

const folder = process.argv[3] ?? join(dirname(dirname(fileURLToPath(import.meta.url))), 'reports')
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : []

let passed = 0
const failures = []
for (const file of files) {
  const xml = readFileSync(join(folder, file), 'utf8')
  for (const [, attributes, , inside = ''] of xml.matchAll(
    /<testcase\b((?:[^>"]|"[^"]*")*?)(\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    if (/<(failure|error)\b/.test(inside)) {
      failures.push(
        `${file}: ${/\bname="([^"]*)"/.exec(attributes)?.[1] ?? 'a test without a name'}`,
      )
    } else if (!/<skipped\b/.test(inside)) passed += 1
  }
}
if (failures.length === 0 && passed === 0) failures.push('no test was run')
if (failures.length === 0 && process.argv[2] !== '0')
  failures.push('a step failed outside its tests')

for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
