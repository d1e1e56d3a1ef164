/**
 * Runs the test suites one after the other and writes reports/*.xml (JUnit).
 * Arguments: names of Vitest projects and `e2e` choose suites; anything else is a part of a file path.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const PROJECTS = ['unit', 'server', 'chains', 'tools']
const BROWSER_CONFIG = 'e2e/playwright.config.ts'

type Suite = { name: string; report: string; args: string[]; env?: Record<string, string> }

function vitestSuite(projects: readonly string[], filters: readonly string[]): Suite {
  const report = 'reports/vitest.xml'
  return {
    name: 'vitest',
    report,
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...['--reporter=default', '--reporter=junit', `--outputFile.junit=${report}`],
      ...(filters.length > 0 ? ['--passWithNoTests', ...filters] : []),
    ],
  }
}

function browserSuite(filters: readonly string[]): Suite {
  const report = 'reports/e2e.xml'
  return {
    name: 'e2e',
    report,
    args: [
      'node_modules/@playwright/test/cli.js',
      ...['test', '-c', BROWSER_CONFIG, '--reporter=list,junit'],
      ...(filters.length > 0 ? ['--pass-with-no-tests', ...filters] : []),
    ],
    env: { PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(ROOT, report) },
  }
}

function chooseSuites(args: readonly string[]): Suite[] {
  const projects = PROJECTS.filter((project) => args.includes(project))
  const filters = args.filter((arg) => !PROJECTS.includes(arg) && arg !== 'e2e')
  const isEverything = projects.length === 0 && !args.includes('e2e')
  const suites: Suite[] = []
  if (isEverything || projects.length > 0) suites.push(vitestSuite(projects, filters))
  const hasBrowserTests = existsSync(join(ROOT, BROWSER_CONFIG))
  if (hasBrowserTests && (isEverything || args.includes('e2e'))) suites.push(browserSuite(filters))
  return suites
}

let running: ChildProcess | undefined

async function run(suite: Suite): Promise<string | undefined> {
  console.log(`\n▶ ${suite.name}`)
  rmSync(join(ROOT, suite.report), { force: true })
  const startedAt = performance.now()
  const child = spawn(process.execPath, suite.args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, ...suite.env },
  })
  running = child
  const code = await new Promise<number>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (status) => resolve(status ?? 1))
  })
  running = undefined
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  console.log(`${code === 0 ? '✔ passed' : '✘ FAILED'}  ${suite.name}  ${seconds} s`)
  return code === 0 ? undefined : suite.name
}

let isStopping = false
function stop() {
  isStopping = true
  running?.kill('SIGTERM')
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop)
process.on('disconnect', stop)
process.channel?.unref()

mkdirSync(join(ROOT, 'reports'), { recursive: true })
const failed: string[] = []
for (const suite of chooseSuites(process.argv.slice(2))) {
  if (isStopping) break
  const failure = await run(suite)
  if (failure !== undefined) failed.push(failure)
}
if (isStopping) console.log('\nStopped.')
else console.log(failed.length === 0 ? '\nAll tests passed.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = isStopping || failed.length > 0 ? 1 : 0
