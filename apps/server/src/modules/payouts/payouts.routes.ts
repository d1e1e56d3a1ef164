import { MessageReply } from '@dct/api-contract/common'
import {
  ExplainPaymentBody,
  HoldPayoutBody,
  PayoutsQuery,
  PayoutsReply,
  RetryPayoutBody,
  SendersReply,
} from '@dct/api-contract/payouts'
import { formatAmount } from '@dct/money'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Hex } from 'viem'
import { type SessionUser, userOf } from '../../platform/http.ts'
import { instantsOf, listFrame, readDayRange } from '../../platform/lists.ts'
import { bytesOf, hexOf } from '../chain/index.ts'
import { listPayouts, payoutBacklog } from './list-payouts.queries.ts'
import { holdPayout, retryPayout } from './manage-payouts.ts'
import { readSender } from './nonces.queries.ts'
import { openPayments } from './payments.queries.ts'
import type { Chain } from './payouts.tables.ts'
import { explainOpenPayment, type ResumeDeps, resumeSender } from './resume-sender.ts'
import { WAIT_REASONS, type WaitReason } from './sender-deps.ts'

export type PayoutsRoutesDeps = ResumeDeps & {
  dctDecimals: number
  /** 20 bytes as hex. */
  operator: Hex
  /** Refuses a session that was not confirmed by a fresh signature, where that is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin' } as const
const MOST_OPEN_PAYMENTS = 100

/** Payouts for admins: look, retry, hold, and what to do when a sender is held. */
export const payoutsRoutes: FastifyPluginAsyncTypebox<PayoutsRoutesDeps> = async (app, deps) => {
  const list = { querystring: PayoutsQuery, response: { 200: PayoutsReply } }
  app.get('/admin/payouts', { schema: list, config }, async (request) => {
    const range = instantsOf(readDayRange(request.query))
    const { rows, total, isCapped } = await listPayouts(deps.db, { ...request.query, ...range })
    const payouts = rows.map((row) => describePayout(deps, row))
    return { payouts, ...listFrame(request.query, total), is_total_capped: isCapped }
  })

  const retry = { body: RetryPayoutBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/retry', { schema: retry, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await retryPayout(deps, { payoutId: BigInt(request.body.id), adminId: admin.id })
    return { message: 'The payout is tried again.' }
  })

  const hold = { body: HoldPayoutBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/hold', { schema: hold, config }, async (request) => {
    const { id, reason } = request.body
    await holdPayout(deps, { payoutId: BigInt(id), adminId: userOf(request).id, reason })
    return { message: 'The payout is held.' }
  })

  const senders = { response: { 200: SendersReply } }
  app.get('/admin/senders', { schema: senders, config }, () => describeSenders(deps))

  const resume = { response: { 200: MessageReply } }
  app.post('/admin/senders/resume', { schema: resume, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await resumeSender(deps, admin.id)
    return { message: 'The sender goes on.' }
  })

  const explain = { body: ExplainPaymentBody, response: { 200: MessageReply } }
  app.post('/admin/payouts/explain-payment', { schema: explain, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { chain, tx_hash, log_index: logIndex, explanation } = request.body
    const txHash: Hex = `0x${tx_hash.toLowerCase().replace(/^0x/, '')}`
    await explainOpenPayment(deps, { chain, txHash, logIndex, explanation, adminId: admin.id })
    return { message: 'The payment is explained.' }
  })
}

type Row = Awaited<ReturnType<typeof listPayouts>>['rows'][number]

export function describePayout(deps: Pick<PayoutsRoutesDeps, 'dctDecimals'>, row: Row) {
  const waitText = WAIT_REASONS[row.wait_reason as WaitReason]
  return {
    id: `${row.id}`,
    chain: row.chain,
    asset: row.asset,
    cause: row.cause,
    to_address: spellAddress(row.chain, row.to_address),
    amount: spellAmount(deps, row.chain, row.amount),
    plan_code: row.plan_code,
    state: row.state,
    wait_reason: row.wait_reason,
    wait_text: row.wait_reason === null ? null : `${waitText} ${row.wait_detail ?? ''}`.trim(),
    waiting_since: row.waiting_since?.toISOString() ?? null,
    held_note: row.held_note,
    is_by_hand: row.is_by_hand,
    failures: row.failures,
    attempts: Number(row.attempts ?? 0n),
    tx_hash: row.final_tx === null ? null : spellHash(row.chain, row.final_tx),
    created_at: row.created_at.toISOString(),
    final_at: row.final_at?.toISOString() ?? null,
  }
}

async function describeSenders(deps: PayoutsRoutesDeps) {
  const backlog = await payoutBacklog(deps.db)
  const { heldReason } = await readSender(deps.db, deps.wallet)
  const sender = (chain: Chain, address: Hex, held: string | null) => {
    const open = backlog.find((row) => row.chain === chain)
    return {
      chain,
      address: spellAddress(chain, bytesOf(address)),
      is_held: held !== null,
      held_reason: held,
      queued: Number(open?.queued ?? 0n),
      on_the_way: Number(open?.signed ?? 0n),
      held: Number(open?.held ?? 0n),
      oldest_at: open?.oldest_at?.toISOString() ?? null,
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
      tx_hash: spellHash(payment.chain, bytesOf(payment.txHash)),
      log_index: payment.logIndex,
      to_address: spellAddress(payment.chain, bytesOf(payment.to)),
      amount: spellAmount(deps, payment.chain, payment.amount),
      plan_code: payment.planCode,
      at: payment.blockTime.toISOString(),
    })),
  }
}

function spellAddress(chain: Chain, address: Uint8Array): string {
  return chain === 'TRON' ? formatTronAddress(address) : formatEvmAddress(address)
}

/** Tron writes hashes without 0x. */
function spellHash(chain: Chain, hash: Uint8Array): string {
  return chain === 'TRON' ? hexOf(hash).slice(2) : hexOf(hash)
}

function spellAmount(
  deps: Pick<PayoutsRoutesDeps, 'dctDecimals'>,
  chain: Chain,
  amount: bigint,
): string {
  return chain === 'TRON'
    ? formatAmount('DCT', amount, deps.dctDecimals)
    : formatAmount('USDT', amount)
}
