import { NodeUnavailable } from '@dct/chain-clients'
import { SignerUnavailable } from '@dct/chain-clients/signers/index'
import { SchemaMismatch } from '../../platform/database/migrate.ts'
import { PinMismatch } from '../../platform/database/pins.ts'
import type { Installation, InstallationCheck } from '../check-installation.ts'
import { SettingsError } from '../config.ts'
import { StartError } from '../start-error.ts'

/** `fault`: must be fixed before going live. `advice`: works, but somebody should know. */
export type Verdict = 'fine' | 'advice' | 'fault'

/** What one examination found. Names are stable, because programs depend on them. */
export type Finding = {
  name: string
  verdict: Verdict
  /** What was examined, such as a node or a setting. */
  subject: string
  /** What was found, and how to fix it. Contains no secret. */
  text: string
}

export function fine(name: string, subject: string, text: string): Finding {
  return { name, verdict: 'fine', subject, text }
}

export function advice(name: string, subject: string, text: string): Finding {
  return { name, verdict: 'advice', subject, text }
}

export function fault(name: string, subject: string, text: string): Finding {
  return { name, verdict: 'fault', subject, text }
}

/** The finding of a question with a right and a wrong answer. */
export function fineIf(
  isFine: boolean,
  {
    name,
    subject,
    right,
    wrong,
  }: Omit<Finding, 'verdict' | 'text'> & Record<'right' | 'wrong', string>,
): Finding {
  return isFine ? fine(name, subject, right) : fault(name, subject, wrong)
}

/** Errors whose message says what to fix. */
const EXPECTED = [
  SettingsError,
  StartError,
  PinMismatch,
  SchemaMismatch,
  NodeUnavailable,
  SignerUnavailable,
]

/** Runs an examination. An expected error is a fault of that name, or of `node.silent` if a node did not answer. */
export async function judge(
  name: string,
  subject: string,
  examine: () => Promise<string>,
): Promise<Finding> {
  const [found] = await judgeAll(name, subject, async () => [fine(name, subject, await examine())])
  return found
}

/** Makes the checks of the start, but goes on after a fault. */
export async function judgeChecks<Given>(
  checks: readonly InstallationCheck<Given>[],
  given: Given,
  found: Partial<Installation> = {},
): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const one of checks)
    findings.push(await judge(one.name, one.subject, () => one.check(given, found)))
  return findings
}

/** Like `judge`, for an examination with several findings: an expected error takes the place of all of them. */
export async function judgeAll<Found extends [Finding] | Finding[]>(
  name: string,
  subject: string,
  examine: () => Promise<Found>,
): Promise<Found | [Finding]> {
  try {
    return await examine()
  } catch (error) {
    if (!(error instanceof Error) || !EXPECTED.some((kind) => error instanceof kind)) throw error
    const isSilent = error instanceof NodeUnavailable && !error.isAnswer
    return isSilent
      ? [fault('node.silent', subject, `Could not be examined: ${error.message}.`)]
      : [fault(name, subject, error.message)]
  }
}
