import type { RoleName } from '@dct/api-contract/auth'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, DbOrTx, ReadDb, Tx } from '../../platform/database/db.ts'
import { own } from './auth.tables.ts'

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

function presentUsers(db: ReadDb) {
  return own(db).selectFrom('app_user').select(COLUMNS).where('deleted_at', 'is', null)
}

/** The user with an address; undefined when it is not registered. Deleted users are not found. */
export async function findUserByAddress(
  db: ReadDb,
  address: Uint8Array,
): Promise<UserRecord | undefined> {
  return presentUsers(db).where('address', '=', Buffer.from(address)).executeTakeFirst()
}

/** The user with an id. Deleted users are not found. */
export async function getUser(db: ReadDb, id: bigint): Promise<UserRecord | undefined> {
  return presentUsers(db).where('id', '=', id).executeTakeFirst()
}

/** The user with a referral code. Compares exactly: parse the code with `parseReferralCode` first. */
export async function findUserByReferralCode(
  db: DbOrTx,
  code: string,
): Promise<UserRecord | undefined> {
  return presentUsers(db).where('referral_code', '=', code).executeTakeFirst()
}

export type NewUser = {
  address: Uint8Array
  email: string | null
  role: RoleName
  referralCode: string
  referrer: { id: bigint; depth: number } | undefined
  at: Date
}

/** Adds a user. @returns undefined when the address is registered or the referral code is taken. */
export async function insertUser(tx: Tx, user: NewUser): Promise<UserRecord | undefined> {
  return own(tx)
    .insertInto('app_user')
    .values({
      address: Buffer.from(user.address),
      email: user.email,
      role: user.role,
      referral_code: user.referralCode,
      referrer_id: user.referrer?.id ?? null,
      depth: user.referrer === undefined ? 0 : user.referrer.depth + 1,
      created_at: user.at,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning(COLUMNS)
    .executeTakeFirst()
}

/** Changes a role. @returns false when the user already has it. */
export async function updateRole(tx: Tx, change: { id: bigint; role: RoleName }): Promise<boolean> {
  const changed = await own(tx)
    .updateTable('app_user')
    .set({ role: change.role })
    .where('id', '=', change.id)
    .where('role', '!=', change.role)
    .executeTakeFirst()
  return changed.numUpdatedRows > 0n
}

/** The percentage and address of a user, locked until commit. Undefined when there is no such user. */
export async function lockReferralRate(
  tx: Tx,
  userId: bigint,
): Promise<{ rateBps: bigint; address: Buffer } | undefined> {
  const row = await own(tx)
    .selectFrom('app_user')
    .select(['referral_reward_bps', 'address'])
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return row && { rateBps: BigInt(row.referral_reward_bps), address: row.address }
}

/** Sets a user's percentage of the fees of the downline, in hundredths of a percent. */
export async function updateReferralRate(
  tx: Tx,
  change: { id: bigint; rateBps: bigint },
): Promise<void> {
  await own(tx)
    .updateTable('app_user')
    .set({ referral_reward_bps: Number(change.rateBps) })
    .where('id', '=', change.id)
    .execute()
}

/** A removed admin still counts for this long, so that nobody can remove the other admins in order to decide alone. */
const REMOVED_ADMIN_COUNTS_MS = DAY_MS

/** Whether there is another admin, who can give the second approval. */
export async function hasOtherAdmin(
  db: DbOrTx,
  { adminId, at }: { adminId: bigint; at: Date },
): Promise<boolean> {
  const since = new Date(at.getTime() - REMOVED_ADMIN_COUNTS_MS)
  const row = await own(db)
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'admin')
    .where('id', '<>', adminId)
    .where((eb) => eb.or([eb('deleted_at', 'is', null), eb('deleted_at', '>', since)]))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** The admins, locked until commit in id order, so that two who remove each other take turns. */
export async function lockAdmins(tx: Tx): Promise<bigint[]> {
  const rows = await own(tx)
    .selectFrom('app_user')
    .select('id')
    .where('role', '=', 'admin')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return rows.map((row) => row.id)
}

/** Marks a user as deleted and erases the e-mail address. */
export async function markDeleted(tx: Tx, removal: { id: bigint; at: Date }): Promise<boolean> {
  const marked = await own(tx)
    .updateTable('app_user')
    .set({ deleted_at: removal.at, email: null })
    .where('id', '=', removal.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return marked.numUpdatedRows > 0n
}

/** Erases the e-mail address that a user gave when registering. */
export async function eraseEmail(db: Db | Tx, userId: bigint): Promise<void> {
  await own(db).updateTable('app_user').set({ email: null }).where('id', '=', userId).execute()
}

/** Erases a user's e-mail address and ends all sessions; what the books need stays. */
export async function erasePerson(tx: Tx, userId: bigint): Promise<void> {
  await eraseEmail(tx, userId)
  await own(tx).deleteFrom('auth_session').where('user_id', '=', userId).execute()
}

/** The addresses of users by id, removed ones included. */
export async function addressesOf(
  db: ReadDb,
  ids: readonly bigint[],
): Promise<ReadonlyMap<bigint, Buffer>> {
  if (ids.length === 0) return new Map()
  const rows = await own(db)
    .selectFrom('app_user')
    .select(['id', 'address'])
    .where('id', 'in', [...new Set(ids)])
    .execute()
  return new Map(rows.map(({ id, address }) => [id, address]))
}

/** The profile data of users, in no particular order. */
export async function describedUsers(db: ReadDb, ids: readonly bigint[]) {
  if (ids.length === 0) return []
  return own(db)
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
