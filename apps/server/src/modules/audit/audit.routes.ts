import {
  AskAuditBody,
  type AuditRun,
  AuditRunsQuery,
  AuditRunsReply,
} from '@dct/api-contract/audit'
import { MessageReply } from '@dct/api-contract/common'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { type Selectable, sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { userOf } from '../../platform/http/http.ts'
import { listFrame, offsetOf } from '../../platform/http/lists.ts'
import { type AuditRunTable, own } from './audit.tables.ts'

const PATH = '/admin/ledger-audits'

export type AuditRoutesDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }

/** The results of audits, and requests for another one. */
export const auditRoutes: FastifyPluginAsyncTypebox<AuditRoutesDeps> = async (app, deps) => {
  const { db } = deps
  const ask = { body: AskAuditBody, response: { 200: MessageReply } }
  app.post(PATH, { schema: ask, config: { role: 'admin' } }, async (request) => {
    await askForAudit(deps, { isFull: request.body.is_full, adminId: userOf(request).id })
    return { message: SUCCESSES.AUDIT_BEGINS }
  })

  const schema = { querystring: AuditRunsQuery, response: { 200: AuditRunsReply } }
  app.get(PATH, { schema, config: { role: 'admin' } }, async ({ query }) => {
    const which = query.is_full
    const matching = own(db)
      .selectFrom('audit_run')
      .$if(which !== undefined, (runs) => runs.where('is_full', '=', which === true))
    const [runs, { total }] = await Promise.all([
      matching
        .selectAll()
        .orderBy('id', query.sort_order)
        .offset(offsetOf(query))
        .limit(query.limit)
        .execute(),
      matching.select((eb) => eb.fn.countAll<bigint>().as('total')).executeTakeFirstOrThrow(),
    ])
    return { audit_runs: runs.map(describe), ...listFrame(query, Number(total)) }
  })
}

/** Requests an audit, which the worker then runs. A requested quick audit does not replace a requested full one. */
async function askForAudit(
  { db, clock, recordAdminAction }: AuditRoutesDeps,
  { isFull, adminId }: { isFull: boolean; adminId: bigint },
): Promise<void> {
  const at = clock.now()
  await inTransaction(db, async (tx) => {
    await own(tx)
      .insertInto('audit_request')
      .values({ is_full: isFull, asked_by: adminId, asked_at: at })
      .onConflict((conflict) =>
        conflict.column('single').doUpdateSet({
          is_full: sql`audit_request.is_full or excluded.is_full`,
          asked_at: sql`excluded.asked_at`,
        }),
      )
      .execute()
    const scope = { before: null, after: { is_full: isFull } }
    await recordAdminAction(tx, { adminId, action: 'audit.ask', subject: 'ledger', ...scope, at })
  })
}

function describe(run: Selectable<AuditRunTable>): AuditRun {
  return {
    id: `${run.id}`,
    is_full: run.is_full,
    started_at: run.started_at.toISOString(),
    finished_at: run.finished_at.toISOString(),
    compared: Number(run.compared),
    differences: run.differences,
    outcomes: run.outcomes.map(({ name, compared, skipped = '', differences }) => ({
      name,
      compared,
      skipped,
      differences: differences.map(({ subject, expected, found }) => ({
        subject,
        expected,
        found,
      })),
    })),
  }
}
