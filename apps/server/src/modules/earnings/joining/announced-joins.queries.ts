import { UNKNOWN_AFTER_MS } from '@dct/rules/constants'
import { sql } from 'kysely'
import type { Db, DbOrTx, Tx } from '../../../platform/database/db.ts'
import { wakePages, wakingPages } from '../../../platform/database/wake-pages.ts'
import { type AnnouncedJoinState, own } from '../earnings.tables.ts'

/** The maximum number of final blocks between two checks of one waiting join. */
const MAX_BLOCKS_BETWEEN_CHECKS = 20

export type AnnouncedJoin = {
  txHash: Buffer
  userId: bigint
  staker: Buffer
  planCode: string
  amount: bigint
  announcedAt: Date
  state: AnnouncedJoinState
}
export type NewAnnouncedJoin = Omit<AnnouncedJoin, 'state'> & { reward: bigint; cycles: number }

const COLUMNS = [
  'tx_hash as txHash',
  'user_id as userId',
  'staker',
  'plan_code as planCode',
  'amount',
  'announced_at as announcedAt',
  'state',
] as const

export async function findAnnouncedJoin(
  db: DbOrTx,
  key: { txHash: Buffer; userId: bigint },
): Promise<AnnouncedJoin | undefined> {
  return own(db)
    .selectFrom('announced_join')
    .select(COLUMNS)
    .where('tx_hash', '=', key.txHash)
    .where('user_id', '=', key.userId)
    .executeTakeFirst()
}

/** Adds an announced join as waiting, or sets an existing one back to waiting. */
export async function upsertWaiting(tx: Tx, join: NewAnnouncedJoin): Promise<void> {
  await own(tx)
    .insertInto('announced_join')
    .values({
      tx_hash: join.txHash,
      user_id: join.userId,
      staker: join.staker,
      plan_code: join.planCode,
      amount: join.amount,
      reward: join.reward,
      cycles: join.cycles,
      announced_at: join.announcedAt,
      state: 'WAITING',
      reason: null,
    })
    .onConflict((conflict) =>
      conflict.columns(['tx_hash', 'user_id']).doUpdateSet((eb) => ({
        plan_code: eb.ref('excluded.plan_code'),
        amount: eb.ref('excluded.amount'),
        reward: eb.ref('excluded.reward'),
        cycles: eb.ref('excluded.cycles'),
        announced_at: eb.ref('excluded.announced_at'),
        state: eb.ref('excluded.state'),
        reason: null,
        checks: 0,
        checked_block: 0n,
      })),
    )
    .execute()
}

/**
 * Waiting joins that are due for another check now that the chain is final through `finalBlock`: new ones at every
 * block, older ones at increasing intervals, and those whose time is up.
 */
export async function dueJoins(
  db: DbOrTx,
  due: { finalBlock: bigint; now: Date; limit: number },
): Promise<AnnouncedJoin[]> {
  return own(db)
    .selectFrom('announced_join')
    .select(COLUMNS)
    .where('state', '=', 'WAITING')
    .where('checked_block', '<', due.finalBlock)
    .where((eb) =>
      eb.or([
        eb('announced_at', '<', new Date(due.now.getTime() - UNKNOWN_AFTER_MS)),
        sql<boolean>`checked_block + least(checks, ${MAX_BLOCKS_BETWEEN_CHECKS}) <= ${due.finalBlock}`,
      ]),
    )
    .orderBy('checked_block')
    .orderBy('announced_at')
    .limit(due.limit)
    .execute()
}

export async function recordCheck(
  db: Db | Tx,
  check: { txHash: Buffer; userId: bigint; finalBlock: bigint },
): Promise<void> {
  await own(db)
    .updateTable('announced_join')
    .set({ checks: sql<number>`checks + 1`, checked_block: check.finalBlock })
    .where('tx_hash', '=', check.txHash)
    .where('user_id', '=', check.userId)
    .execute()
}

/** Marks a waiting join as failed. One that was booked in the meantime stays booked. */
export async function failAnnouncedJoin(
  tx: Tx,
  failure: { txHash: Buffer; userId: bigint; reason: string },
): Promise<void> {
  await own(tx)
    .updateTable('announced_join')
    .set({ state: 'FAILED', reason: failure.reason })
    .where('tx_hash', '=', failure.txHash)
    .where('user_id', '=', failure.userId)
    .where('state', '=', 'WAITING')
    .execute()
  await wakePages(tx, [failure.userId])
}

/**
 * Closes the announced joins that a booked stake decides: the stake's own becomes booked; others for the same transaction,
 * or for the same holder and plan, fail.
 */
export async function closeAnnouncedJoins(
  tx: Tx,
  stake: { txHash: Buffer; staker: Buffer; planCode: string },
): Promise<void> {
  const { txHash, staker, planCode } = stake
  await sql`
    update announced_join set
      state = case when tx_hash = ${txHash} and staker = ${staker} then 'BOOKED' else 'FAILED' end,
      reason = case when tx_hash <> ${txHash} then 'ALREADY_FOLLOWING'
        when staker <> ${staker} then 'NOT_YOUR_LOCK' end
    where (tx_hash = ${txHash} and (staker = ${staker} or state = 'WAITING'))
      or (staker = ${staker} and plan_code = ${planCode} and state = 'WAITING')
    returning ${wakingPages(sql<Buffer>`staker`)}`.execute(tx)
}

/** The booked stake of a transaction, if there is one. One call makes one stake. */
export async function stakesOf(db: DbOrTx, txHash: Buffer) {
  return own(db)
    .selectFrom('earning')
    .select(['staker', 'plan_code as planCode', 'amount'])
    .where('tx_hash', '=', txHash)
    .orderBy('log_index')
    .execute()
}

/** Whether an address has joined a plan, or announced a join that has not failed. */
export async function isFollowing(
  db: DbOrTx,
  join: { address: Buffer; planCode: string },
): Promise<boolean> {
  const found = await own(db)
    .selectFrom('stake_record')
    .select('tx_hash')
    .where('staker', '=', join.address)
    .where('plan_code', '=', join.planCode)
    .where('state', '!=', 'FAILED')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
