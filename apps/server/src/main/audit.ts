/**
 * `audit.ts [open]`: checks that the books are consistent and agree with the chains. Exit code 1: something differs; 3:
 * something could not be compared, because no node answered or a chain is halted.
 */
import { exitCodeOf, printReport, runAudit } from '../modules/audit/index.ts'
import { runCommand } from './run.ts'

const [scope] = process.argv.slice(2)

await runCommand(async ({ db, clock, chains }) => {
  const report = await runAudit({ db, clock, ...chains }, { full: scope !== 'open' })
  process.stdout.write(`${printReport(report)}\n`)
  return exitCodeOf(report)
})
