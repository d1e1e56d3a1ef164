import type { AuditReport } from './run-audit.ts'

const MAX_NAME = 60

/** A report as a table for a terminal. */
export function printReport(report: AuditReport): string {
  const lines = report.outcomes.flatMap((outcome) => {
    const { name, compared, differences, skipped } = outcome
    const verdict =
      skipped !== undefined
        ? `not compared: ${skipped}`
        : differences.length === 0
          ? 'ok'
          : 'DIFFERS'
    const head = `${name.padEnd(MAX_NAME)} ${`${compared}`.padStart(10)}  ${verdict}`
    return [
      head,
      ...differences.map(
        ({ subject, expected, found }) => `    ${subject}: ${found} where ${expected} was expected`,
      ),
    ]
  })
  const seconds = (report.finishedAt.getTime() - report.startedAt.getTime()) / 1_000
  const which = report.isFull ? 'Full audit' : 'Audit of the open books'
  const skipped = report.outcomes.filter((outcome) => outcome.skipped !== undefined).length
  const gaps = skipped === 0 ? '' : `, ${skipped} not compared`
  const sum = `${which}: ${report.differences} differences${gaps} in ${seconds.toFixed(1)} s`
  return [`${'check'.padEnd(MAX_NAME)} ${'compared'.padStart(10)}`, ...lines, '', sum].join('\n')
}
