/**
 * Runs the test suites one after the other and writes reports/*.xml (JUnit).
 * Arguments: a Vitest project, `e2e` or `release` (what only a release needs) selects that suite; `changed` selects the tests whose imports reach a change
 * relative to main; anything else selects test files by a part of their path.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms } from './programs/bundle-programs.ts'
import { RUN_BUNDLES } from './programs/places.ts'
import { ROOT } from './repository.ts'

const PROJECTS = ['unit', 'server', 'chains', 'tools']
/** Run only when asked for: before every release, and with TEST_DATABASE_URL on a Citus cluster. */
const ON_REQUEST = ['release', 'citus']
const BROWSER_CONFIG = 'e2e/playwright.config.ts'
const SEEN_BY_BROWSERS = ['apps/web/', 'packages/', 'devnet/wallet/']
const SEEN_FROM_OUTSIDE = ['apps/server/', 'contracts/', 'devnet/']

/** Lets the processes that tests start run their bundles. */
const NODE_OPTIONS = [process.env.NODE_OPTIONS, RUN_BUNDLES].join(' ').trim()

type Suite = { name: string; report: string; args: string[]; env?: Record<string, string> }

/** Selects tests: those in these paths and, if a commit is given, only those affected by changes since then. */
type Choice = { filters: readonly string[]; since: string | undefined }

function vitestSuite(projects: readonly string[], { filters, since }: Choice): Suite {
  const report = 'reports/vitest.xml'
  return {
    name: 'vitest',
    report,
    args: [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...projects.map((project) => `--project=${project}`),
      ...['--reporter=default', '--reporter=junit', `--outputFile.junit=${report}`],
      ...(since === undefined ? [] : [`--changed=${since}`]),
      ...(since === undefined && filters.length === 0 ? [] : ['--passWithNoTests', ...filters]),
    ],
  }
}

function browserSuite({ filters, since }: Choice): Suite {
  return {
    ...reportedAs('e2e'),
    args: [
      'node_modules/@playwright/test/cli.js',
      ...['test', '-c', BROWSER_CONFIG, '--reporter=list,junit'],
      ...(since === undefined ? [] : [`--only-changed=${since}`]),
      ...(since === undefined && filters.length === 0 ? [] : ['--pass-with-no-tests', ...filters]),
    ],
  }
}

function reportedAs(name: string): Required<Pick<Suite, 'name' | 'report' | 'env'>> {
  const report = `reports/${name}.xml`
  return { name, report, env: { PLAYWRIGHT_JUNIT_OUTPUT_FILE: join(ROOT, report) } }
}

/** Unit tests alone start no programs. */
function startsPrograms(args: readonly string[]): boolean {
  const chosen = args.filter((arg) => [...PROJECTS, 'e2e', ...ON_REQUEST].includes(arg))
  return chosen.length === 0 || chosen.some((name) => name !== 'unit')
}

function chooseSuites(args: readonly string[]): Suite[] {
  const projects = [...PROJECTS, ...ON_REQUEST].filter((project) => args.includes(project))
  const filters = args.filter(
    (arg) => ![...PROJECTS, 'e2e', ...ON_REQUEST, 'changed'].includes(arg),
  )
  const choice = { filters, since: args.includes('changed') ? branchPoint() : undefined }
  const isEverything = projects.length === 0 && !args.includes('e2e')
  const suites: Suite[] = []
  if (isEverything || projects.length > 0)
    suites.push(vitestSuite(isEverything ? PROJECTS : projects, choice))
  const hasBrowserTests = existsSync(join(ROOT, BROWSER_CONFIG))
  if (hasBrowserTests && (isEverything || args.includes('e2e'))) {
    suites.push(...browserSuites(choice))
  }
  return suites
}

/**
 * Browser tests import no product code, so the changed folders decide which of them run: a change of code that runs in
 * browsers affects all of them, a change of service code only those that use its published interfaces.
 */
function browserSuites(choice: Choice): Suite[] {
  const { filters, since } = choice
  if (since === undefined) return [browserSuite(choice)]
  const changed = changedFiles(since)
  const touches = (folders: readonly string[]) =>
    changed.some((path) => folders.some((folder) => path.startsWith(folder)))
  if (touches(SEEN_BY_BROWSERS)) return [browserSuite({ filters, since: undefined })]
  const own = browserSuite(choice)
  if (!touches(SEEN_FROM_OUTSIDE)) return [own]
  const outside = browserSuite({ filters: ['e2e/outside/'], since: undefined })
  return [own, { ...outside, ...reportedAs('e2e-outside') }]
}

/** The commit at which this branch left main; on main itself, HEAD, so that uncommitted changes count. */
function branchPoint(): string {
  return git('merge-base', 'HEAD', 'main').trim()
}

/** The files that differ from that commit, including untracked ones. */
function changedFiles(since: string): string[] {
  const lines =
    git('diff', '--name-only', since) + git('ls-files', '--others', '--exclude-standard')
  return lines.split('\n').filter((line) => line !== '')
}

function git(...words: string[]): string {
  return execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' })
}

let running: ChildProcess | undefined

async function run(suite: Suite): Promise<string | undefined> {
  console.log(`\n▶ ${suite.name}`)
  rmSync(join(ROOT, suite.report), { force: true })
  const startedAt = performance.now()
  const child = spawn(process.execPath, suite.args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, NODE_OPTIONS, ...suite.env },
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
const args = process.argv.slice(2)
if (startsPrograms(args)) await bundlePrograms()
for (const suite of chooseSuites(args)) {
  if (isStopping) break
  const failure = await run(suite)
  if (failure !== undefined) failed.push(failure)
}
if (isStopping) console.log('\nStopped.')
else console.log(failed.length === 0 ? '\nAll tests passed.' : `\nFailed: ${failed.join(', ')}`)
process.exitCode = isStopping || failed.length > 0 ? 1 : 0
