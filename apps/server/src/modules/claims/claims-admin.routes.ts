import {
  type AdminClaimHistoryQuery as AdminClaimHistory,
  AdminClaimHistoryQuery,
  AdminClaimHistoryReply,
  AdminClaimRecord,
  AttachPaymentBody,
  RefundedPaymentBody,
  UnmatchedPayment,
  UnmatchedPaymentsQuery,
  UnmatchedPaymentsReply,
} from '@dct/api-contract/claims'
import { MessageReply } from '@dct/api-contract/common'
import { SUCCESSES, successOf } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Hex } from 'viem'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { readsOf, type SessionUser, userOf } from '../../platform/http/http.ts'
import { cappedFrame, instantsOf, readDayRange } from '../../platform/http/lists.ts'
import { readTronAddress } from '../auth/index.ts'
import {
  type ClaimFilter,
  listClaims,
  orderedClaims,
  readClaimSearch,
} from './claim-lists.queries.ts'
import { serializeAdminClaim } from './serialize-claim.ts'
import {
  attachPayment,
  describeUnmatched,
  listUnmatched,
  markRefunded,
  orderedUnmatched,
  type UnmatchedDeps,
} from './unmatched-payments.ts'

export type ClaimsAdminRoutesDeps = UnmatchedDeps & {
  dctDecimals: number
  /** Refuses a session without a fresh confirming signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin' } as const
/** Claims and unmatched payments, for admins. */
export const claimsAdminRoutes: FastifyPluginAsyncTypebox<ClaimsAdminRoutesDeps> = async (
  app,
  deps,
) => {
  const today = () => businessDayOf(deps.clock.now())

  const history = listOrFile(AdminClaimHistoryQuery, AdminClaimHistoryReply)
  for (const path of ['/admin/claim-history', '/admin/user-claim-history']) {
    app.get(path, { schema: history, config }, async (request, reply) => {
      const { query } = request
      const reads = readsOf(request)
      const filter = await readClaimFilter(reads, query)
      if (query.format === undefined) return answerHistory({ ...deps, db: reads }, filter, query)
      const order = { sort_by: query.sort_by, sort_order: query.sort_order }
      const batches = inBatches(reads, {
        queries: (tx) => [orderedClaims(tx, { ...filter, ...order }).compile()],
        describe: (_tx, rows) => rows.map((claim) => serializeAdminClaim(deps, claim)),
      })
      return sendCsv(reply, { name: 'claims', day: today(), row: AdminClaimRecord, batches })
    })
  }

  const list = listOrFile(UnmatchedPaymentsQuery, UnmatchedPaymentsReply)
  app.get('/admin/unmatched-payments', { schema: list, config }, async ({ query }, reply) => {
    const filter = { ...query, ...instantsOf(readDayRange(query)) }
    if (query.format === undefined) {
      const { payments, ...counted } = await listUnmatched(deps.db, filter)
      return { payments, ...cappedFrame(query, counted) }
    }
    const batches = inBatches(deps.db, {
      queries: (tx) => [orderedUnmatched(tx, filter).compile()],
      describe: describeUnmatched,
    })
    const name = 'unmatched-payments'
    return sendCsv(reply, { name, day: today(), row: UnmatchedPayment, batches })
  })

  const attach = { body: AttachPaymentBody, response: { 200: MessageReply } }
  app.post('/admin/unmatched-payments/attach', { schema: attach, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { code_claim: code, known = [], ...receipt } = request.body
    await attachPayment(deps, { ...readKey(receipt), code, known, adminId: admin.id })
    return { message: successOf('PAYMENT_ATTACHED', { code }) }
  })

  const refunded = { body: RefundedPaymentBody, response: { 200: MessageReply } }
  const asking = { ...config, asksNode: true }
  app.post(
    '/admin/unmatched-payments/refunded',
    { schema: refunded, config: asking },
    async (request) => {
      const admin = userOf(request)
      await deps.requireStepUp(admin)
      const { refund_tx_hash, note, ...receipt } = request.body
      const refundHash = refund_tx_hash.toLowerCase() as Hex
      await markRefunded(deps, { ...readKey(receipt), refundHash, note, adminId: admin.id })
      return { message: SUCCESSES.PAYMENT_REFUNDED }
    },
  )
}

function readKey(receipt: { tx_hash: string; log_index: number }) {
  return {
    txHash: Buffer.from(receipt.tx_hash.slice(2), 'hex'),
    logIndex: receipt.log_index,
  }
}

async function answerHistory(
  deps: { db: ReadDb; dctDecimals: number },
  filter: ClaimFilter,
  query: AdminClaimHistory,
) {
  const { page, limit, sort_by, sort_order } = query
  const { claims, ...counted } = await listClaims(deps.db, {
    ...{ page, limit, sort_by, sort_order },
    ...filter,
  })
  return {
    claims: claims.map((claim) => serializeAdminClaim(deps, claim)),
    ...cappedFrame(query, counted),
  }
}

/** The claims that a query selects, regardless of page and order. */
async function readClaimFilter(db: ReadDb, query: AdminClaimHistory): Promise<ClaimFilter> {
  const { tron_address: address } = query
  return {
    ...instantsOf(readDayRange(query)),
    ...(address === undefined || address === '' ? {} : { staker: readTronAddress(address) }),
    planCode: query.earning_plan_code ?? query.plan_code,
    search: await readClaimSearch(db, query.search),
  }
}
