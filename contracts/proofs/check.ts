import { execFile } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PROJECT_DIR } from './project.ts'

export type Verdict = 'proved' | 'refuted' | 'undecided'
export type Outcome = {
  readonly check: string
  readonly verdict: Verdict
  readonly seconds: number
}

/** How long one question to a solver may take. */
const QUESTION_MS = 300_000

type Report = {
  test_results: Record<string, { name: string; exitcode: number; time: number[] | null }[]>
}

/** Halmos's exit codes of a check; all others (timeout, stuck, all paths reverted, exception) decide nothing. */
const VERDICTS: Record<number, Verdict> = { 0: 'proved', 1: 'refuted' }

/** Runs the checks of one contract whose names begin so. Each is decided or not; none throws. */
export async function runChecks(
  env: NodeJS.ProcessEnv,
  { contract, check = 'check_' }: { contract: string; check?: string },
): Promise<Outcome[]> {
  const file = join(PROJECT_DIR, 'report.json')
  rmSync(file, { force: true })
  const args = [
    ...[
      '--contract',
      contract,
      '--function',
      check,
      '--no-status',
      '--json-output',
      file,
      '--early-exit',
    ],
    ...['--solver-timeout-assertion', `${QUESTION_MS}`],
  ]
  const output = await textOf('halmos', args, env)
  const report = readReport(file, output)
  return Object.values(report.test_results)
    .flat()
    .map(({ name, exitcode, time }) => ({
      check: name.replace(/\(.*/, ''),
      verdict: VERDICTS[exitcode] ?? 'undecided',
      seconds: time?.[0] ?? 0,
    }))
}

function readReport(file: string, output: string): Report {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch (cause) {
    throw new Error(`halmos wrote no report:\n${output}`, { cause })
  }
}

/** What a program says, whatever its exit code: halmos's counts refuted checks. */
function textOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  return new Promise<string>((resolve) => {
    execFile(program, args, { cwd: PROJECT_DIR, env }, (error, stdout, stderr) =>
      resolve(`${stdout}${stderr}` || `${error}`),
    )
  })
}
