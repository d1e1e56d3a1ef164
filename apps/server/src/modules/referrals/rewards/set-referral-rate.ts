import type { Bps } from '@dct/money'
import { formatTronAddress } from '@dct/rules/addresses'
import { formatPercentage } from '@dct/rules/percentages'
import { readReferralPercentage } from '@dct/rules/referral-percentage'
import type { Clock } from '../../../platform/clock.ts'
import type { RecordAdminAction } from '../../../platform/database/admin-actions.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import { Refusal } from '../../../platform/errors.ts'
import { lockReferralRate, updateReferralRate } from '../../auth/index.ts'
import { changeSetting } from '../../proposals/index.ts'
import { needsSecondAdmin } from './rate-approval.ts'

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
    const isSet = await changeSetting(deps, tx, {
      ...{ kind: 'referral_percentage', userId, before, value: rateBps, adminId, needsTwo, at },
      log: {
        ...{ action: 'referral_percentage', subject: formatTronAddress(user.address) },
        ...{ name: 'percentage', show: formatPercentage },
      },
    })
    if (isSet) await updateReferralRate(tx, { id: userId, rateBps })
    return { isSet, rateBps: isSet ? rateBps : before }
  })
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
