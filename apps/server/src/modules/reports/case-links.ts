import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, type DbOrTx, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type CaseClaim, findCaseClaimById } from '../claims/index.ts'
import { own } from './reports.tables.ts'

const HOUR_MS = 3_600_000
const TOKEN_BYTES = 32

export type CaseLinkDeps = {
  db: Db
  clock: Clock
  realClock: Clock
  recordAdminAction: RecordAdminAction
}

/** Creates a link that shows one case to anyone who has it, for a few hours. @returns the token, which is not stored */
export async function makeCaseLink(
  deps: CaseLinkDeps,
  input: { claim: CaseClaim; adminId: bigint; hours: number },
): Promise<{ token: string; expiresAt: Date }> {
  const { claim, adminId, hours } = input
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = deps.realClock.now()
  const expiresAt = new Date(now.getTime() + hours * HOUR_MS)
  await inTransaction(deps.db, async (tx) => {
    await own(tx)
      .insertInto('case_link')
      .values({
        claim_id: claim.id,
        token_hash: hashOf(token),
        created_by: adminId,
        created_at: now,
        expires_at: expiresAt,
      })
      .execute()
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'case.link',
      subject: claim.code_claim,
      before: null,
      after: { hours },
      at: deps.clock.now(),
    })
  })
  return { token, expiresAt }
}

/** Revokes a link. @throws Refusal `CASE_LINK_OVER` if there is none to revoke */
export async function revokeCaseLink(
  deps: CaseLinkDeps,
  input: { claim: CaseClaim; adminId: bigint; id: bigint },
): Promise<void> {
  const { claim, adminId, id } = input
  await inTransaction(deps.db, async (tx) => {
    const ended = await own(tx)
      .updateTable('case_link')
      .set({ revoked_by: adminId, revoked_at: deps.realClock.now() })
      .where('id', '=', id)
      .where('claim_id', '=', claim.id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (ended.numUpdatedRows === 0n) throw new Refusal('CASE_LINK_OVER')
    await deps.recordAdminAction(tx, {
      adminId,
      action: 'case.link_revoke',
      subject: claim.code_claim,
      before: null,
      after: { link: `${id}` },
      at: deps.clock.now(),
    })
  })
}

/** Lets every link expire now. @returns how many there were */
export async function endCaseLinks(tx: Tx, now: Date): Promise<number> {
  const ended = await own(tx)
    .updateTable('case_link')
    .set({ expires_at: now })
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .where('created_at', '<', now)
    .executeTakeFirst()
  return Number(ended.numUpdatedRows)
}

/** The claim that a link shows. @throws Refusal `CASE_LINK_OVER` if the link is unknown, expired or revoked */
export async function followCaseLink(
  { db, realClock }: { db: DbOrTx; realClock: Clock },
  token: string,
): Promise<CaseClaim> {
  const link = await own(db)
    .selectFrom('case_link')
    .select('claim_id')
    .where('token_hash', '=', hashOf(token))
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', realClock.now())
    .executeTakeFirst()
  const claim = link && (await findCaseClaimById(db, link.claim_id))
  if (claim === undefined) throw new Refusal('CASE_LINK_OVER')
  return claim
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}
