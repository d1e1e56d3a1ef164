import type { RoleName } from '@dct/api-contract/auth'
import type { DbOrTx, Tx } from '../../platform/db.ts'
import './auth.tables.ts'

export type UserRecord = {
  id: bigint
  address: Buffer
  email: string | null
  role: RoleName
  referralCode: string
  referrerId: bigint | null
  depth: number
}

const COLUMNS = [
  'id',
  'address',
  'email',
  'role',
  'referral_code as referralCode',
  'referrer_id as referrerId',
  'depth',
] as const

/** The user of an address, undefined when nobody is registered with it. Deleted users are not found. */
export async function findUserByAddress(
  db: DbOrTx,
  address: Uint8Array,
): Promise<UserRecord | undefined> {
  return db
    .selectFrom('app_user')
    .select(COLUMNS)
    .where('address', '=', Buffer.from(address))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A user by id, deleted ones left out. */
export async function getUser(db: DbOrTx, id: bigint): Promise<UserRecord | undefined> {
  return db
    .selectFrom('app_user')
    .select(COLUMNS)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The user that a referral code belongs to. Compares exactly: read the code with `parseReferralCode` first. */
export async function findUserByReferralCode(
  db: DbOrTx,
  code: string,
): Promise<UserRecord | undefined> {
  return db
    .selectFrom('app_user')
    .select(COLUMNS)
    .where('referral_code', '=', code)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export type NewUser = {
  address: Uint8Array
  email: string | null
  role: RoleName
  referralCode: string
  referrer: { id: bigint; depth: number } | undefined
  termsVersion: string | null
  at: Date
}

/** Adds a user. @returns undefined when the address is registered or the referral code is in use. */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRecord | undefined> {
  return tx
    .insertInto('app_user')
    .values({
      address: Buffer.from(user.address),
      email: user.email,
      role: user.role,
      referral_code: user.referralCode,
      referrer_id: user.referrer?.id ?? null,
      depth: user.referrer === undefined ? 0 : user.referrer.depth + 1,
      created_at: user.at,
      terms_version: user.termsVersion,
      terms_accepted_at: user.termsVersion === null ? null : user.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Changes a role. False when the user has it already. */
export async function updateRole(tx: Tx, change: { id: bigint; role: RoleName }): Promise<boolean> {
  const changed = await tx
    .updateTable('app_user')
    .set({ role: change.role })
    .where('id', '=', change.id)
    .where('role', '!=', change.role)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** Sets the percentage of the fees of a user's downline that the user gets: hundredths of a percent. */
export async function updateReferralRate(
  tx: Tx,
  change: { id: bigint; rateBps: bigint },
): Promise<void> {
  await tx
    .updateTable('app_user')
    .set({ referral_reward_bps: Number(change.rateBps) })
    .where('id', '=', change.id)
    .execute()
}

/** The admins, locked until commit in one order, so that two who remove each other take turns. */
export async function lockAdmins(tx: Tx): Promise<bigint[]> {
  const rows = await tx
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Marks a user as deleted and forgets the e-mail. */
export async function markDeleted(tx: Tx, removal: { id: bigint; at: Date }): Promise<boolean> {
  const marked = await tx
    .updateTable('app_user')
    .set({ deleted_at: removal.at, email: null })
    .where('id', '=', removal.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

/** The addresses of users, also of removed ones, by id. */
export async function addressesOf(
  db: DbOrTx,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('app_user')
    .select(['id', 'address'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** What a user's page shows of users, in the order of `ids` or not. */
export async function describedUsers(db: DbOrTx, ids: readonly bigint[]) {
  if (ids.length === 0) return []
  return db
    .selectFrom('app_user as u')
    .leftJoin('app_user as r', 'r.id', 'u.referrer_id')
    .select([
      'u.id',
      'u.address',
      'u.email',
      'u.role',
      'u.referral_code',
      'u.referral_reward_bps',
      'u.created_at',
      'r.address as referrer_address',
      'r.referral_code as referrer_code',
    ])
    .where('u.id', 'in', ids)
    .execute()
}
