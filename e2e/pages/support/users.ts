import type { User } from '@dct/api-contract/auth'
import { SUCCESSES } from '@dct/api-contract/successes'
import { listOf, recordedReply, type World } from './world.ts'

export const USERS_PATH = '/api/admin/users'
export const UPDATE = '/api/admin/update-referral-reward'

const [user] = recordedReply<{ users: [User] }>(`GET ${USERS_PATH}`).users
export const addressOf = (letter: string) => `T${letter.repeat(33)}`
/** A newest-first chain of users: each was referred by the one before. */
export const top: User = {
  ...user,
  ...{ tron_address: addressOf('A'), referral_code: 'TOPCODE1', email: 'top@example.org' },
  ...{ total_referrals: 1, referral_reward_percentage: '0', total_referral_omset: '30.000000' },
  created_at: '2026-03-03T03:04:05.000Z',
}
export const middle: User = {
  ...top,
  ...{ tron_address: addressOf('B'), referral_code: 'MIDDLE11', email: 'middle@example.org' },
  created_at: '2026-03-02T03:04:05.000Z',
}
export const bottom: User = {
  ...middle,
  ...{ tron_address: addressOf('C'), referral_code: 'BOTTOM11', email: null },
  ...{ total_referrals: 0, created_at: '2026-03-01T03:04:05.000Z' },
}
const users = [top, middle, bottom]

/** Answers the list of these three, and stores the percentage of the first. */
export function answerUsers(world: World): void {
  let percentage = top.referral_reward_percentage
  world.answer(`GET ${USERS_PATH}`, (asked) => {
    const { filter_reward_percentage: isFiltered, ...query } = asked.query
    const now = users.map((one) =>
      one === top ? { ...top, referral_reward_percentage: percentage } : one,
    )
    const kept = now.filter((one) => !isFiltered || one.referral_reward_percentage !== '0')
    return listOf('users', kept, { ...asked, query })
  })
  world.answer(`PUT ${UPDATE}`, ({ body }) => {
    percentage = String((body as { referral_reward_percentage: number }).referral_reward_percentage)
    return {
      ...{ message: SUCCESSES.PERCENTAGE_SET, tron_address: top.tron_address },
      ...{ referral_reward_percentage: percentage, is_set: true },
    }
  })
}
