import type { Bps } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import { readReferralPercentage } from '@dct/rules/referral-percentage'
import { type Clock, DAY_MS } from '../../../platform/clock.ts'
import type { RecordAdminAction } from '../../../platform/database/admin-actions.ts'
import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { lockReferralRate, updateReferralRate } from '../../auth/index.ts'
import { needsSecondAdmin } from './rate-approval.ts'
import {
  findRateProposal,
  insertRateChange,
  type RateProposal,
  removeRateProposal,
  replaceRateProposal,
} from './rates.queries.ts'

/** How long a proposed percentage waits for the second admin. */
export const RATE_PROPOSAL_LIFE_MS = DAY_MS

export type SetRateDeps = {
  db: Db
  clock: Clock
  /** A raise above this needs two admins, if there are two. */
  secondApprovalRateBps: Bps
  recordAdminAction: RecordAdminAction
}
export type SetRateInput = { userId: bigint; rateBps: Bps; adminId: bigint }

/**
 * Sets a user's percentage, for fees settled from now on. A change that needs two admins waits until another admin
 * sends the same percentage within a day.
 * @returns whether it is set, and the user's current percentage
 * @throws Refusal `NOT_FOUND`, `OWN_PERCENTAGE`
 */
export async function setReferralRate(
  deps: SetRateDeps,
  input: SetRateInput,
): Promise<{ isSet: boolean; rateBps: Bps }> {
  const { userId, rateBps, adminId } = input
  const at = deps.clock.now()
  return inTransaction(deps.db, async (tx) => {
    const user = await lockReferralRate(tx, userId)
    if (user === undefined) throw new Refusal('NOT_FOUND')
    const before = user.rateBps
    const needsTwo = await needsSecondAdmin(deps, tx, { ...input, before, at })
    const proposer = needsTwo ? await proposerOf(tx, { userId, rateBps, adminId, at }) : adminId
    const isSet = proposer !== undefined
    if (isSet) {
      await changeRate(tx, { userId, before, rateBps, proposer, adminId, needsTwo, at })
    } else {
      await replaceRateProposal(tx, { userId, rateBps, proposedBy: adminId, at })
    }
    await deps.recordAdminAction(tx, {
      adminId,
      action: isSet ? 'referral_percentage.set' : 'referral_percentage.propose',
      subject: formatTronAddress(user.address),
      before: { percentage: formatPercentage(before) },
      after: { percentage: formatPercentage(rateBps) },
      at,
    })
    return { isSet, rateBps: isSet ? rateBps : before }
  })
}

type Change = {
  userId: bigint
  before: Bps
  rateBps: Bps
  proposer: bigint
  adminId: bigint
  needsTwo: boolean
  at: Date
}

async function changeRate(tx: Tx, change: Change): Promise<void> {
  const { userId, before, rateBps, proposer, adminId, needsTwo, at } = change
  await updateReferralRate(tx, { id: userId, rateBps })
  await removeRateProposal(tx, userId)
  await insertRateChange(tx, {
    user_id: userId,
    old_bps: Number(before),
    new_bps: Number(rateBps),
    set_by: proposer,
    confirmed_by: needsTwo ? adminId : null,
    needs_two: needsTwo,
    at,
  })
}

/** The other admin who recently proposed exactly this percentage. */
async function proposerOf(
  tx: Tx,
  requested: { userId: bigint; rateBps: Bps; adminId: bigint; at: Date },
): Promise<bigint | undefined> {
  const proposal = await findRateProposal(tx, requested.userId)
  return proposal !== undefined && isConfirmed(proposal, requested)
    ? proposal.proposedBy
    : undefined
}

function isConfirmed(
  proposal: RateProposal,
  requested: { rateBps: Bps; adminId: bigint; at: Date },
): boolean {
  const isAlive = requested.at.getTime() < proposal.at.getTime() + RATE_PROPOSAL_LIFE_MS
  return (
    isAlive && proposal.rateBps === requested.rateBps && proposal.proposedBy !== requested.adminId
  )
}

/**
 * Reads the percentage of a request.
 * @throws Refusal `REFERRAL_PERCENTAGE_INVALID`, `REFERRAL_PERCENTAGE_OUT_OF_RANGE`
 */
export function readRate(input: string | number | null): Bps {
  const read = readReferralPercentage(String(input ?? ''))
  if ('rateBps' in read) return read.rateBps
  throw new Refusal(
    read.problem === 'range' ? 'REFERRAL_PERCENTAGE_OUT_OF_RANGE' : 'REFERRAL_PERCENTAGE_INVALID',
  )
}
