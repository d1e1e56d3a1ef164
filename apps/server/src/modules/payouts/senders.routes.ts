import { MessageReply } from '@dct/api-contract/common'
import {
  ExplainPaymentBody,
  OperatorCallBody,
  OperatorCallsReply,
  SendersReply,
} from '@dct/api-contract/payouts'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Hex } from 'viem'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import { bytesOf } from '../chain/index.ts'
import { readSender } from './bsc/nonces.queries.ts'
import { type ResumeDeps, resumeSender } from './bsc/resume-sender.ts'
import { explainOpenPayment } from './explain-payment.ts'
import { payoutBacklog } from './open-totals.queries.ts'
import { openPayments } from './payments.queries.ts'
import { formatAddress, formatHash, formatWithUnit, readHash } from './payout-texts.ts'
import type { Chain } from './payouts.tables.ts'
import { WAIT_REASONS, type WaitReason } from './sender-deps.ts'
import { giveUpCall, openCalls, retryCall } from './tron/manage-calls.ts'

export type SendersRoutesDeps = ResumeDeps & {
  dctDecimals: number
  /** 20 bytes as hex. */
  operator: Hex
  /** Refuses a session without a fresh signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin' } as const
const asking = { ...config, asksNode: true } as const
const MOST_OPEN_PAYMENTS = 100

/** Sender routes for admins: why a sender is held, payments that belong to no payout, and operator calls. */
export const sendersRoutes: FastifyPluginAsyncTypebox<SendersRoutesDeps> = async (app, deps) => {
  const senders = { response: { 200: SendersReply } }
  app.get('/admin/senders', { schema: senders, config }, () => describeSenders(deps))

  const resume = { response: { 200: MessageReply } }
  app.post('/admin/senders/resume', { schema: resume, config: asking }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await resumeSender(deps, admin.id)
    return { message: SUCCESSES.SENDER_RESUMED }
  })

  const explain = { body: ExplainPaymentBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/explain-payment', { schema: explain, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { chain, tx_hash, log_index: logIndex, explanation } = request.body
    const txHash = readHash(tx_hash)
    await explainOpenPayment(deps, { chain, txHash, logIndex, explanation, adminId: admin.id })
    return { message: SUCCESSES.PAYMENT_EXPLAINED }
  })

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
  const { heldReason } = await readSender(deps.db, deps.wallet)
  const sender = (chain: Chain, address: Hex, held: string | null) => {
    const open = backlog.find((row) => row.chain === chain)
    return {
      chain,
      address: formatAddress(chain, bytesOf(address)),
      is_held: held !== null,
      held_reason: held,
      queued: open?.waiting ?? 0,
      on_the_way: open?.sent ?? 0,
      held: open?.held ?? 0,
      oldest_at: open?.oldestAt.toISOString() ?? null,
    }
  }
  const open = await Promise.all(
    (['TRON', 'BSC'] as const).map((chain) =>
      openPayments(deps.db, { chain, limit: MOST_OPEN_PAYMENTS }),
    ),
  )
  return {
    senders: [sender('TRON', deps.operator, null), sender('BSC', deps.wallet, heldReason)],
    open_payments: open.flat().map((payment) => ({
      chain: payment.chain,
      tx_hash: formatHash(payment.chain, bytesOf(payment.txHash)),
      log_index: payment.logIndex,
      to_address: formatAddress(payment.chain, bytesOf(payment.to)),
      amount: formatWithUnit(deps, payment.chain, payment.amount),
      plan_code: payment.planCode,
      at: payment.blockTime.toISOString(),
    })),
  }
}
