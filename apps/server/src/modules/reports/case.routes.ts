import { MessageReply } from '@dct/api-contract/common'
import {
  CaseLinkBody,
  CaseLinkParams,
  CaseLinkReply,
  CaseNoteBody,
  CaseParams,
  CaseReply,
} from '@dct/api-contract/reports'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { type CaseClaim, findCaseClaim } from '../claims/index.ts'
import { type CaseLinkDeps, makeCaseLink, revokeCaseLink } from './case-links.ts'
import { describeCase } from './describe-case.ts'
import { own } from './reports.tables.ts'

export type CaseRoutesDeps = CaseLinkDeps & {
  dctDecimals: number
  /** Refuses a session without a recent confirming signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin' } as const

/** A page with everything about one claim, notes on it, and links that show it to support. */
export const caseRoutes: FastifyPluginAsyncTypebox<CaseRoutesDeps> = async (app, deps) => {
  const { db, realClock } = deps
  const read = { params: CaseParams, response: { 200: CaseReply } }
  app.get('/admin/cases/:code', { schema: read, config }, async ({ params }) => {
    const claim = await requireCase(db, params.code)
    return describeCase({ ...deps, now: realClock.now() }, claim)
  })

  const note = { params: CaseParams, body: CaseNoteBody, response: { 200: MessageReply } }
  app.post('/admin/cases/:code/notes', { schema: note, config }, async (request) => {
    const text = request.body.text.trim()
    if (text === '') throw new Refusal('BAD_REQUEST', { field: 'text' })
    const claim = await requireCase(db, request.params.code)
    await addNote(deps, { claim, adminId: userOf(request).id, text })
    return { message: SUCCESSES.NOTE_KEPT }
  })

  const link = { params: CaseParams, body: CaseLinkBody, response: { 200: CaseLinkReply } }
  app.post('/admin/cases/:code/links', { schema: link, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const claim = await requireCase(db, request.params.code)
    const { hours } = request.body
    const { token, expiresAt } = await makeCaseLink(deps, { claim, adminId: admin.id, hours })
    return { token, expires_at: expiresAt.toISOString() }
  })

  const revoke = { params: CaseLinkParams, response: { 200: MessageReply } }
  app.delete('/admin/cases/:code/links/:id', { schema: revoke, config }, async (request) => {
    const { code, id } = request.params
    const claim = await requireCase(db, code)
    await revokeCaseLink(deps, { claim, adminId: userOf(request).id, id: BigInt(id) })
    return { message: SUCCESSES.LINK_REVOKED }
  })
}

async function requireCase(db: Db, code: string): Promise<CaseClaim> {
  const claim = await findCaseClaim(db, code.trim())
  if (claim === undefined) throw new Refusal('CASE_NOT_FOUND')
  return claim
}

async function addNote(
  deps: CaseLinkDeps,
  { claim, adminId, text }: { claim: CaseClaim; adminId: bigint; text: string },
): Promise<void> {
  const at = deps.clock.now()
  await inTransaction(deps.db, async (tx) => {
    await own(tx)
      .insertInto('case_note')
      .values({ claim_id: claim.id, admin_id: adminId, text, at })
      .execute()
    await deps.recordAdminAction(tx, {
      ...{ adminId, action: 'case.note', subject: claim.code_claim, at },
      ...{ before: null, after: { text } },
    })
  })
}
