import { type AuditRun, AuditRunsQuery, AuditRunsReply } from '@dct/api-contract/audit'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Selectable } from 'kysely'
import type { Db } from '../../platform/db.ts'
import { listFrame, offsetOf } from '../../platform/lists.ts'
import type { AuditRunTable } from './audit.tables.ts'

const PATH = '/admin/ledger-audits'

/** What the audits of the books found. */
export const auditRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  const schema = { querystring: AuditRunsQuery, response: { 200: AuditRunsReply } }
  app.get(PATH, { schema, config: { role: 'admin' } }, async ({ query }) => {
    const which = query.is_full
    const matching = db
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
