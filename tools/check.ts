/** Runs all static checks of the code and writes reports/check.xml. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BOUNDARY_CHECK, CODE_FOLDERS, EXPORTS_CHECK, ROOT } from './repository.ts'

const AT_ONCE = 2

type Check = { name: string; args: readonly string[] }
type Outcome = Check & { seconds: string; failure: string | undefined }

const bin = (path: string) => join('node_modules', path)
const CHECKS: readonly Check[] = [
  { name: 'biome', args: [bin('@biomejs/biome/bin/biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'types', args: [bin('typescript/bin/tsc'), '-p', 'tsconfig.json'] },
  {
    // Its globals are not those of a page.
    name: 'types of the service worker',
    args: [bin('typescript/bin/tsc'), '-p', 'apps/web/service-worker'],
  },
  {
    name: 'types of the oldest browsers',
    args: [bin('typescript/bin/tsc'), '-p', 'apps/web/tsconfig.browsers.json'],
  },
  { name: 'oldest browsers', args: ['tools/oldest-browsers.ts'] },
  {
    name: 'boundaries',
    args: [...BOUNDARY_CHECK, '--output-type', 'err', ...CODE_FOLDERS],
  },
  {
    name: 'tidy',
    args: [
      ...[bin('vitest/vitest.mjs'), 'run', '--project=tools'],
      ...['tools/tidy.test.ts', 'tools/table-doors.test.ts', 'tools/releases.test.ts'],
    ],
  },
  { name: 'unused code', args: [bin('knip/bin/knip.js'), '--no-progress'] },
  { name: 'translations', args: ['tools/translations.ts', '--check'] },
  { name: 'exports used only by tests', args: EXPORTS_CHECK },
  { name: 'generated files', args: ['tools/generated-files.ts'] },
]

function run(check: Check): Promise<Outcome> {
  const startedAt = performance.now()
  const options = { cwd: ROOT, maxBuffer: 64 * 1024 * 1024 }
  return new Promise((resolve) => {
    execFile(process.execPath, check.args, options, (error, stdout, stderr) => {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
      const failure = error ? `${stdout}${stderr}`.trim() || error.message : undefined
      console.log(`${failure === undefined ? '✔' : '✘'} ${check.name}  ${seconds} s`)
      if (failure !== undefined) console.log(`\n${failure}\n`)
      resolve({ ...check, seconds, failure })
    })
  })
}

async function runAll(): Promise<Outcome[]> {
  const waiting = [...CHECKS]
  const outcomes: Outcome[] = []
  const lane = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) outcomes.push(await run(next))
  }
  await Promise.all(Array.from({ length: AT_ONCE }, lane))
  return outcomes
}

function toJunit(outcomes: readonly Outcome[]): string {
  const escapeXml = (text: string) =>
    text
      .replace(/[^\P{Cc}\n\t]/gu, '')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('"', '&quot;')
  const cases = outcomes.map(({ name, seconds, failure }) => {
    const inside = failure === undefined ? '' : `<failure>${escapeXml(failure)}</failure>`
    return `<testcase classname="check" name="${name}" time="${seconds}">${inside}</testcase>`
  })
  const failures = outcomes.filter((outcome) => outcome.failure !== undefined).length
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites><testsuite name="check" tests="${outcomes.length}" failures="${failures}">`,
    ...cases,
    '</testsuite></testsuites>\n',
  ].join('\n')
}

process.on('disconnect', () => process.exit(1))
process.channel?.unref()

const outcomes = await runAll()
mkdirSync(join(ROOT, 'reports'), { recursive: true })
writeFileSync(join(ROOT, 'reports/check.xml'), toJunit(outcomes))
const failed = outcomes.filter((outcome) => outcome.failure !== undefined)
console.log(
  failed.length === 0
    ? '\nAll checks passed.'
    : `\nFailed: ${failed.map(({ name }) => name).join(', ')}`,
)
process.exitCode = failed.length === 0 ? 0 : 1
