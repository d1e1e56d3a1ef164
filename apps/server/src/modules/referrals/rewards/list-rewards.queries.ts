import { DECIMALS } from '@dct/money'
import { readAddressSearch } from '@dct/rules/binary-search-text'
import { type SelectQueryBuilder, sql } from 'kysely'
import { anyOf, fitsAddress } from '../../../platform/database/binary-search.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import {
  fromNearerEnd,
  likePattern,
  offsetOf,
  type Paging,
  reverseOf,
} from '../../../platform/http/lists.ts'
import { shownDay, showsAmount } from '../../../platform/shown-text.ts'
import { own, type ReferralsTables } from '../referrals.tables.ts'
import { readBalances } from './rewards.queries.ts'

/** Alphabetical by description, with the level compared as a number. */
const BY_DESCRIPTION = [sql`(kind = 'direct')`, sql`level`]
const SORTS = {
  created_at: [sql`created_at`],
  from_tron_address: [sql`from_address`],
  reward_amount: [sql`amount`],
  reward_description: BY_DESCRIPTION,
  earning_plan_code: [sql`plan_code`],
} as const
/** Both the stored names and those that screens show. */
const NAMES = sql<string>`case kind
  when 'direct' then 'direct downline reward | fee referral'
  else 'bonus referral level ' || level || ' | fee earning level ' || level end`

const NAMES_SAMPLE = [
  'direct downline reward | fee referral',
  'bonus referral level # | fee earning level #',
]
/** Whether a search text can be part of a reward's name; otherwise names need not be compared. */
function canBeName(text: string): boolean {
  const spelled = text.toLowerCase().replaceAll(/\d+/g, '#')
  return NAMES_SAMPLE.some((name) => name.includes(spelled))
}

/** In the format of the screens. */
const DAY = shownDay(sql.ref('created_at'))
/** Whether a search text can be part of a day or an amount; otherwise those of all rewards need not be formatted. */
function canBeDayOrAmount(text: string): boolean {
  return /^[\d.,]+$/.test(text) || /^(\d{1,2} )?[a-z]{3}( \d{0,4})?$/i.test(text)
}

/** The fee of which a reward is a share. */
const FEE = sql<bigint>`(
  select f.fee_usdt from referral_fee f where f.fee_id = referral_reward.fee_id)`

export type RewardsQuery = Paging & {
  search?: string | undefined
  sort_by: keyof typeof SORTS
  sort_order: 'asc' | 'desc'
  from?: Date
  before?: Date
}

/** One page of a user's rewards. */
export async function listRewards(db: ReadDb, receiverId: bigint, query: RewardsQuery) {
  const offset = offsetOf(query)
  const total = await countRewards(db, receiverId, query)
  const stretch = fromNearerEnd({ offset, limit: query.limit, total })
  const sort_order = stretch.isReversed ? reverseOf(query.sort_order) : query.sort_order
  const rows = await orderedRewards(db, receiverId, { ...query, sort_order })
    .offset(stretch.offset)
    .limit(stretch.limit)
    .execute()
  return { rows: stretch.isReversed ? rows.reverse() : rows, total }
}

/** All matching rewards of a user, in order. */
export function orderedRewards(
  db: ReadDb,
  receiverId: bigint,
  query: Omit<RewardsQuery, keyof Paging>,
) {
  let rewards = filtered(db, receiverId, query)
    .select(['id', 'kind', 'level', 'rate_bps', 'amount'])
    .select(['from_address', 'plan_code', 'created_at'])
    .select(FEE.as('fee_usdt'))
  for (const column of SORTS[query.sort_by]) rewards = rewards.orderBy(column, query.sort_order)
  return rewards.orderBy('id', query.sort_order)
}

export type ListedReward = Awaited<ReturnType<ReturnType<typeof orderedRewards>['execute']>>[number]

async function countRewards(db: ReadDb, receiverId: bigint, query: RewardsQuery): Promise<number> {
  const isWhole = !query.search?.trim() && query.from === undefined && query.before === undefined
  if (isWhole) {
    const balances = await readBalances(db, [receiverId])
    return Number(balances.reduce((sum, { rowCount }) => sum + rowCount, 0n))
  }
  const row = await filtered(db, receiverId, query)
    .select((eb) => eb.fn.countAll<bigint>().as('total'))
    .executeTakeFirstOrThrow()
  return Number(row.total)
}

function filtered(
  db: ReadDb,
  receiverId: bigint,
  { search, from, before }: Omit<RewardsQuery, keyof Paging>,
): SelectQueryBuilder<ReferralsTables, 'referral_reward', object> {
  let query = own(db).selectFrom('referral_reward').where('receiver_id', '=', receiverId)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (before !== undefined) query = query.where('created_at', '<', before)
  const text = search?.trim() ?? ''
  if (text === '') return query
  const pattern = likePattern(text)
  const address = readAddressSearch(text)
  return query.where(
    anyOf([
      sql`plan_code ilike ${pattern}`,
      ...(canBeName(text) ? [sql`${NAMES} ilike ${pattern}`] : []),
      ...(canBeDayOrAmount(text)
        ? [
            sql`${DAY} ilike ${pattern}`,
            showsAmount(sql.ref('amount'), { decimals: DECIMALS.USDT, search: text }),
          ]
        : []),
      ...(address === undefined
        ? []
        : [
            sql`from_address in (
              select u.address from app_user_view u where ${fitsAddress(sql.ref('u.address'), address)})`,
          ]),
    ]),
  )
}
