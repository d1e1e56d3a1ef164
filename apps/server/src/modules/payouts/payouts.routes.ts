import { MessageReply } from '@dct/api-contract/common'
import {
  AdminPayout,
  HoldPayoutBody,
  PayoutsQuery,
  PayoutsReply,
  RetryPayoutBody,
} from '@dct/api-contract/payouts'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { businessDayOf } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { cappedFrame, instantsOf, readDayRange } from '../../platform/http/lists.ts'
import { listPayouts, orderedPayouts } from './list-payouts.queries.ts'
import { holdPayout, type ManageDeps, retryPayout } from './manage-payouts.ts'
import { formatAddress, formatHash, formatWithUnit } from './payout-texts.ts'
import { WAIT_REASONS, type WaitReason } from './sender-deps.ts'

/** The dependencies for describing payouts. */
export type DescribeDeps = {
  dctDecimals: number
  /** The codes of claims by their ids. Wired in main/, because this module knows nothing about claims. */
  codesOfClaims(db: ReadDb, ids: readonly bigint[]): Promise<ReadonlyMap<bigint, string>>
}
export type PayoutsRoutesDeps = ManageDeps &
  DescribeDeps & {
    /** Refuses a session without a fresh signature, where one is required. */
    requireStepUp(user: SessionUser): Promise<void>
  }

const config = { role: 'admin' } as const

/** Payout routes for admins: list, retry and hold. */
export const payoutsRoutes: FastifyPluginAsyncTypebox<PayoutsRoutesDeps> = async (app, deps) => {
  const list = listOrFile(PayoutsQuery, PayoutsReply)
  app.get('/admin/payouts', { schema: list, config }, async ({ query }, reply) => {
    const filter = { ...query, ...instantsOf(readDayRange(query)) }
    if (query.format === undefined) {
      const { rows, ...counted } = await listPayouts(deps.db, filter)
      const payouts = await describePayouts(deps, deps.db, rows)
      return { payouts, ...cappedFrame(query, counted) }
    }
    const batches = inBatches(deps.db, {
      queries: (tx) => [orderedPayouts(tx, filter).compile()],
      describe: (tx, rows) => describePayouts(deps, tx, rows),
    })
    const day = businessDayOf(deps.clock.now())
    return sendCsv(reply, { name: 'payouts', day, row: AdminPayout, batches })
  })

  const retry = { body: RetryPayoutBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/retry', { schema: retry, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await retryPayout(deps, { payoutId: BigInt(request.body.id), adminId: admin.id })
    return { message: SUCCESSES.PAYOUT_RETRIED }
  })

  const hold = { body: HoldPayoutBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/hold', { schema: hold, config }, async (request) => {
    const { id, reason } = request.body
    await holdPayout(deps, { payoutId: BigInt(id), adminId: userOf(request).id, reason })
    return { message: SUCCESSES.PAYOUT_HELD }
  })
}

type Row = Awaited<ReturnType<typeof listPayouts>>['rows'][number]

async function describePayouts(deps: DescribeDeps, db: ReadDb, rows: readonly Row[]) {
  const claims = rows.map(({ cause }) => claimIdOf(cause)).filter((id) => id !== undefined)
  const codes = await deps.codesOfClaims(db, claims)
  return rows.map((row) => ({
    ...describePayout(deps, row),
    code_claim: codes.get(claimIdOf(row.cause) ?? 0n) ?? null,
  }))
}

function claimIdOf(cause: string): bigint | undefined {
  const id = /^claim:(\d+):/.exec(cause)?.[1]
  return id === undefined ? undefined : BigInt(id)
}

function describePayout(deps: DescribeDeps, row: Row) {
  const waitText = WAIT_REASONS[row.wait_reason as WaitReason]
  return {
    id: `${row.id}`,
    chain: row.chain,
    asset: row.asset,
    cause: row.cause,
    to_address: formatAddress(row.chain, row.to_address),
    amount: formatWithUnit(deps, row.chain, row.amount),
    plan_code: row.plan_code,
    state: row.state,
    wait_reason: row.wait_reason,
    wait_text: row.wait_reason === null ? null : `${waitText} ${row.wait_detail ?? ''}`.trim(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    failures: row.failures,
    attempts: Number(row.attempts ?? 0n),
    tx_hash: row.final_tx === null ? null : formatHash(row.chain, row.final_tx),
    created_at: row.created_at.toISOString(),
    final_at: row.final_at?.toISOString() ?? null,
  }
}
