/** `audit.ts [open]`: holds the books against themselves and the chains; exit code 1 when anything differs. */
import { printReport, runAudit } from '../modules/audit/index.ts'
import { runCommand } from './run.ts'

const [scope] = process.argv.slice(2)

await runCommand(async ({ db, clock, chains }) => {
  const report = await runAudit({ db, clock, ...chains }, { full: scope !== 'open' })
  process.stdout.write(`${printReport(report)}\n`)
  return report.differences === 0 ? 0 : 1
})
