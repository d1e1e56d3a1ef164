import { PROPOSAL_KINDS, type ProposalKind, type SettingName } from '@dct/api-contract/proposals'
import { formatAmount } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { getUser } from '../auth/index.ts'
import { endOfProposal } from './decide.ts'
import { dropProposal, lockProposal, type Proposal, type Subject } from './proposals.queries.ts'

export type EndProposalDeps = {
  db: Db
  clock: Clock
  recordAdminAction: RecordAdminAction
  /** How admins read the value of a setting. */
  showSetting(name: SettingName, value: bigint): string
  /** Makes a claim wait for its first approval again. Locks the claim, as an approval does first. */
  forgetFirstApproval(tx: Tx, claimId: bigint): Promise<void>
}

/** A proposal as an admin saw it. */
export type SeenProposal = { id: string; proposedAt: Date; adminId: bigint }

/**
 * Withdraws an admin's own proposal: nothing changes, and the same can be proposed again.
 * @throws Refusal `PROPOSAL_GONE`, `PROPOSAL_OF_ANOTHER`
 */
export function withdrawProposal(deps: EndProposalDeps, seen: SeenProposal): Promise<void> {
  return end(deps, seen, (proposal) => {
    if (proposal.proposedBy !== seen.adminId) throw new Refusal('PROPOSAL_OF_ANOTHER')
    return { action: 'proposal.withdraw', after: null }
  })
}

/**
 * Declines another admin's proposal, with a reason: nothing changes.
 * @throws Refusal `PROPOSAL_GONE`, `PROPOSAL_YOUR_OWN`
 */
export function declineProposal(
  deps: EndProposalDeps,
  { reason, ...seen }: SeenProposal & { reason: string },
): Promise<void> {
  return end(deps, seen, (proposal) => {
    if (proposal.proposedBy === seen.adminId) throw new Refusal('PROPOSAL_YOUR_OWN')
    return { action: 'proposal.decline', after: { reason } }
  })
}

type Ending = {
  action: 'proposal.withdraw' | 'proposal.decline'
  after: { reason: string } | null
}

async function end(
  deps: EndProposalDeps,
  { id, proposedAt, adminId }: SeenProposal,
  judge: (proposal: Proposal) => Ending,
): Promise<void> {
  const subject = readProposalId(id)
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    if (subject.kind === 'referral_claim') await deps.forgetFirstApproval(tx, subject.subject)
    const proposal = await lockProposal(tx, subject)
    const isOpen = proposal !== undefined && at.getTime() < endOfProposal(proposal)
    if (!isOpen || proposal.at.getTime() !== proposedAt.getTime())
      throw new Refusal('PROPOSAL_GONE')
    const { action, after } = judge(proposal)
    await dropProposal(tx, subject)
    const before = { [LOGGED_AS[subject.kind] ?? 'value']: show(deps, proposal) }
    await deps.recordAdminAction(tx, {
      ...{ adminId, action, subject: await loggedSubject(tx, subject), before, after, at },
    })
  })
}

/** Identifies a proposal to admins. */
export function proposalId({ kind, subject }: Subject): string {
  return `${kind}:${subject}`
}

function readProposalId(id: string): Subject {
  const [name, subject = ''] = id.split(':')
  const kind = PROPOSAL_KINDS.find((known) => known === name)
  if (kind === undefined) throw new Refusal('PROPOSAL_GONE')
  return { kind, subject: BigInt(subject) }
}

/** How the admin log names the proposed value; `value` otherwise. */
const LOGGED_AS: Partial<Record<ProposalKind, string>> = {
  price: 'price',
  referral_percentage: 'percentage',
  referral_claim: 'amount_usdt',
}

function show({ showSetting }: EndProposalDeps, { kind, value }: Proposal): string {
  if (kind === 'referral_percentage') return formatPercentage(value)
  return kind === 'referral_claim' ? formatAmount('USDT', value) : showSetting(kind, value)
}

/** The subject as the admin log names it where something is proposed. */
async function loggedSubject(db: DbOrTx, { kind, subject }: Subject): Promise<string> {
  if (kind === 'price') return 'DCT'
  if (kind === 'referral_claim') return `${subject}`
  if (kind !== 'referral_percentage') return kind
  const user = await getUser(db, subject)
  return user === undefined ? `${subject}` : formatTronAddress(user.address)
}
