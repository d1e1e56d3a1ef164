// node tools/count-results.mjs FOLDER STEP=STATUS ...: sums up FOLDER/*.xml and repeats the first lines of each failed
// test's report, because a log may be truncated before its end. The last line is 'N passed, N failed'.
// A step with a non-zero exit status counts as a failure, unless failed tests in the reports account for it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** The step that produces the reports. */
const TEST_STEP = 'npm test'
/** The exit codes of coreutils' `timeout`: the command was stopped at its time limit, or had to be killed. */
const CUT_OFF = ['124', '137']
const REPORTED_LINES = 20

const [folder, ...steps] = process.argv.slice(2)
const files = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.xml')) : []

let passed = 0
const failures = []
for (const file of files) {
  const xml = readFileSync(join(folder, file), 'utf8')
  for (const [, attributes, , inside = ''] of xml.matchAll(
    /<testcase\b((?:[^>"]|"[^"]*")*?)(\/>|>([\s\S]*?)<\/testcase>)/g,
  )) {
    if (/<(failure|error)\b/.test(inside)) {
      const name = /\bname="([^"]*)"/.exec(attributes)?.[1] ?? 'a test without a name'
      failures.push([`${file}: ${name}`, ...reported(inside)].join('\n    '))
    } else if (!/<skipped\b/.test(inside)) passed += 1
  }
}
const hasFailedTests = failures.length > 0
for (const step of steps) {
  const [name, status] = step.split('=')
  if (status === '0') continue
  if (CUT_OFF.includes(status)) failures.push(`'${name}' was stopped at its time limit`)
  else if (name !== TEST_STEP) failures.push(`'${name}' ended with status ${status}`)
  else if (!hasFailedTests)
    failures.push(`'${name}' ended with status ${status}, though no test failed`)
}
if (failures.length === 0 && passed === 0) failures.push('no test was run')

/** The first lines of a failed test's report, as plain text. */
function reported(inside) {
  const [, , text = ''] = /<(failure|error)\b(?:[^>"]|"[^"]*")*>([\s\S]*?)<\/\1>/.exec(inside) ?? []
  const lines = text.replace(/<!\[CDATA\[|\]\]>/g, '').split('\n')
  return lines.filter((line) => line.trim() !== '').slice(0, REPORTED_LINES)
}

for (const failure of failures) console.log(`failed: ${failure}`)
console.log(`${passed} passed, ${failures.length} failed`)
process.exitCode = failures.length === 0 ? 0 : 1
