import type { Finding, Verdict } from './finding.ts'

const MARKS: Record<Verdict, string> = { fine: 'ok    ', advice: 'advice', fault: 'FAULT ' }

/** The findings in plain words, faults last. */
export function printFindings(findings: readonly Finding[]): string {
  const order: readonly Verdict[] = ['fine', 'advice', 'fault']
  const lines = order.flatMap((verdict) =>
    findings
      .filter((one) => one.verdict === verdict)
      .map(({ subject, text }) => `${MARKS[verdict]} ${subject}: ${text}`),
  )
  const faults = findings.filter(({ verdict }) => verdict === 'fault').length
  const end = faults === 0 ? 'Nothing to fix.' : `${faults} to fix.`
  return [...lines, end].join('\n')
}
