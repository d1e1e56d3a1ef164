import { DAY_MS } from '../../platform/clock.ts'
import type { Tx } from '../../platform/database/db.ts'
import { dropProposal, lockProposal, replaceProposal, type Subject } from './proposals.queries.ts'

/** How long a proposal waits for the second admin. The first approval of a claim does not expire. */
const LIFE_MS = DAY_MS

export type Decision = Subject & { value: bigint; adminId: bigint; needsTwo: boolean; at: Date }

/** The admins who decided: one, or the proposer and the one who confirmed it. */
export type Deciders = { setBy: bigint; confirmedBy: bigint | null }

/**
 * Decides something that may need two admins. If it does, it is kept as a proposal, in place of the previous one, until
 * another admin decides the same within its life. The caller has locked what it is about.
 * @returns who decided; undefined if it awaits a second admin
 */
export async function decide(tx: Tx, decision: Decision): Promise<Deciders | undefined> {
  const { kind, subject, value, adminId, needsTwo, at } = decision
  const open = await lockProposal(tx, decision)
  const isConfirmed =
    open !== undefined &&
    open.value === value &&
    open.proposedBy !== adminId &&
    at.getTime() < endOfProposal(open)
  if (needsTwo && !isConfirmed) {
    await replaceProposal(tx, { kind, subject, value, proposedBy: adminId, at })
    return undefined
  }
  await dropProposal(tx, decision)
  return isConfirmed
    ? { setBy: open.proposedBy, confirmedBy: adminId }
    : { setBy: adminId, confirmedBy: null }
}

/** When a proposal expires, in milliseconds since 1970. */
export function endOfProposal({ kind, at }: Pick<Subject, 'kind'> & { at: Date }): number {
  return kind === 'referral_claim' ? Number.POSITIVE_INFINITY : at.getTime() + LIFE_MS
}
