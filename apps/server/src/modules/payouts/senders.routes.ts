import { MessageReply } from '@dct/api-contract/common'
import { OperatorCallBody, OperatorCallsReply, SendersReply } from '@dct/api-contract/payouts'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Hex } from 'viem'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { bytesOf } from '../chain/index.ts'
import { giveUpCall, openCalls, retryCall } from './manage-calls.ts'
import type { ManageDeps } from './manage-payouts.ts'
import { payoutBacklog } from './open-totals.queries.ts'
import { formatAddress } from './payout-texts.ts'
import type { Chain } from './payouts.tables.ts'
import { WAIT_REASONS, type WaitReason } from './sender-deps.ts'

export type SendersRoutesDeps = ManageDeps & {
  /** 20 bytes as hex: whose key signs on Tron, and on BSC. */
  operator: Hex
  payoutOperator: Hex
  /** Refuses a session without a fresh signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin' } as const

/** Sender routes for admins: what waits for each sender, and operator calls. */
export const sendersRoutes: FastifyPluginAsyncTypebox<SendersRoutesDeps> = async (app, deps) => {
  const senders = { response: { 200: SendersReply } }
  app.get('/admin/senders', { schema: senders, config }, () => describeSenders(deps))

  const calls = { response: { 200: OperatorCallsReply } }
  app.get('/admin/operator-calls', { schema: calls, config }, async () => ({
    operator_calls: (await openCalls(deps.db)).map(describeCall),
  }))

  const call = { body: OperatorCallBody, response: { 200: MessageReply } }
  app.post('/admin/operator-calls/retry', { schema: call, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await retryCall(deps, { callId: BigInt(request.body.id), adminId: admin.id })
    return { message: SUCCESSES.CALL_RETRIED }
  })

  app.post('/admin/operator-calls/give-up', { schema: call, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await giveUpCall(deps, { callId: BigInt(request.body.id), adminId: admin.id })
    return { message: SUCCESSES.CALL_GIVEN_UP }
  })
}

function describeCall(row: Awaited<ReturnType<typeof openCalls>>[number]) {
  const waitText = WAIT_REASONS[row.wait_reason as WaitReason]
  return {
    id: `${row.id}`,
    kind: row.kind,
    subject: row.subject,
    state: row.state,
    failures: row.failures,
    wait_text: row.wait_reason === null ? null : `${waitText} ${row.wait_detail ?? ''}`.trim(),
    created_at: row.created_at.toISOString(),
  }
}

async function describeSenders(deps: SendersRoutesDeps) {
  const backlog = await payoutBacklog(deps.db)
  const sender = (chain: Chain, address: Hex) => {
    const open = backlog.find((row) => row.chain === chain)
    return {
      chain,
      address: formatAddress(chain, bytesOf(address)),
      queued: open?.waiting ?? 0,
      on_the_way: open?.sent ?? 0,
      held: open?.held ?? 0,
      oldest_at: open?.oldestAt.toISOString() ?? null,
    }
  }
  return {
    senders: [sender('TRON', deps.operator), sender('BSC', deps.payoutOperator)],
  }
}
