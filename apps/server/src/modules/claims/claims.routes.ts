import {
  CancelClaimBody,
  ClaimableRewardsReply,
  ClaimBody,
  ClaimedRewardsReply,
  type ClaimHistoryQuery as ClaimHistory,
  ClaimHistoryQuery,
  ClaimHistoryReply,
  ClaimReply,
  EarningProgress,
  PayClaimFeeBody,
  PayClaimFeeReply,
  PendingFeesQuery,
  PendingFeesReply,
} from '@dct/api-contract/claims'
import { MessageReply, Strict } from '@dct/api-contract/common'
import { SUCCESSES, successOf } from '@dct/api-contract/successes'
import { DECIMALS, formatAmount } from '@dct/money'
import { CLAIM_KINDS, type ClaimKind } from '@dct/rules/fees'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readAmount } from '../../platform/amounts.ts'
import type { ReadDb } from '../../platform/database/db.ts'
import { invariant, Refusal } from '../../platform/errors.ts'
import { type RequireConsent, userOf } from '../../platform/http/http.ts'
import { normalizePlanCode } from '../../platform/http/lenient-query.ts'
import { instantsOf, listFrame, readDayRange } from '../../platform/http/lists.ts'
import { getPlanByCode } from '../plans/index.ts'
import type { SupportAddress } from './ask-support.ts'
import { earlyHalves, listClaims, readClaimSearch } from './claim-lists.queries.ts'
import { type ClaimableDeps, describeClaimable } from './claimable-rewards.ts'
import { cancelClaim } from './close-claims.ts'
import { describeProgress } from './earning-progress.ts'
import { type NamePaymentDeps, namePayment } from './name-payment.ts'
import { pendingPartName } from './on-payout-final.ts'
import { describePendingFees } from './pending-fees.ts'
import { claimWithFormer, type RemadeClaim, type RemakeDeps } from './remake-claim.ts'
import { earlyHash, formatReceiver, formatUsdt, serializeClaim } from './serialize-claim.ts'

export type ClaimsRoutesDeps = ClaimableDeps &
  NamePaymentDeps &
  RemakeDeps &
  SupportAddress &
  RequireConsent

const config = { role: 'user' } as const
const PLAN_PATH = Strict({ code: Type.String({ minLength: 1, maxLength: 64 }) })

/** A holder's rewards: claims, fees, cancellation, history. */
export const claimsRoutes: FastifyPluginAsyncTypebox<ClaimsRoutesDeps> = async (app, deps) => {
  const claimable = { response: { 200: ClaimableRewardsReply } }
  app.get('/user/claimable-reward', { schema: claimable, config }, async (request) => ({
    claimable_rewards: await describeClaimable(deps, userOf(request).address),
  }))

  const claim = { body: ClaimBody, response: { 200: ClaimReply } }
  app.post('/user/claim', { schema: claim, config }, async (request) => {
    await deps.requireConsent(userOf(request))
    return answerClaim(deps, userOf(request), request.body)
  })

  const cancel = { body: CancelClaimBody, response: { 200: MessageReply } }
  app.post('/user/cancel-claim', { schema: cancel, config }, async (request) => {
    await cancelClaim(deps, { userId: userOf(request).id, code: request.body.code_claim })
    return { message: SUCCESSES.CLAIM_CANCELLED }
  })

  const fees = { querystring: PendingFeesQuery, response: { 200: PendingFeesReply } }
  app.get('/user/pending-claim-fees', { schema: fees, config }, async (request) => {
    const query = { ...request.query, userId: userOf(request).id }
    const { fees: pending_fees, total } = await describePendingFees(deps, query)
    return { pending_fees, ...listFrame(request.query, total) }
  })

  const response = { 200: PayClaimFeeReply, 202: PayClaimFeeReply }
  const pay = { body: PayClaimFeeBody, response }
  app.post(
    '/user/pay-claim-fee',
    { schema: pay, config: { ...config, asksNode: true } },
    async (request, reply) => {
      await deps.requireConsent(userOf(request))
      const { tx_hash_usdt: hash, code_claim } = request.body
      const planCode = normalizePlanCode(request.body.earning_plan_code)
      const { id: userId } = userOf(request)
      const { status, code } = await namePayment(deps, { userId, planCode, code: code_claim, hash })
      const message = status === 'recorded' ? SUCCESSES.FEE_RECORDED : SUCCESSES.FEE_SUBMITTED
      return reply
        .status(status === 'recorded' ? 200 : 202)
        .send({ message, status, code_claim: code })
    },
  )

  const halves = { params: PLAN_PATH, response: { 200: ClaimedRewardsReply } }
  app.get('/user/get-claimed-rewards/:code', { schema: halves, config }, async (request) => {
    const key = { userId: userOf(request).id, planCode: normalizePlanCode(request.params.code) }
    if ((await getPlanByCode(deps.db, key.planCode)) === undefined)
      throw new Refusal('PLAN_NOT_FOUND')
    const claims = await earlyHalves(deps.db, key)
    return { claimed_rewards: claims.map((one) => describeHalf(deps, one)) }
  })
  const allHalves = { response: halves.response }
  app.get('/user/get-claimed-rewards', { schema: allHalves, config }, async (request) => {
    const claims = await earlyHalves(deps.db, { userId: userOf(request).id })
    return { claimed_rewards: claims.map((one) => describeHalf(deps, one)) }
  })

  const progress = { params: PLAN_PATH, response: { 200: EarningProgress } }
  app.get('/user/earnings/:code/progress', { schema: progress, config }, (request) =>
    describeProgress(deps, {
      staker: userOf(request).address,
      planCode: normalizePlanCode(request.params.code),
    }),
  )

  const history = { querystring: ClaimHistoryQuery, response: { 200: ClaimHistoryReply } }
  for (const path of ['/user/claim-history', '/user/user-claim-history']) {
    app.get(path, { schema: history, config }, (request) =>
      answerHistory(deps, { ...request.query, userId: userOf(request).id }),
    )
  }
}

async function answerClaim(
  deps: ClaimsRoutesDeps,
  user: { id: bigint; address: Buffer },
  body: ClaimBody,
) {
  const planCode = normalizePlanCode(body.earning_plan_code ?? '')
  if (planCode === '') throw new Refusal('PLAN_NOT_SELECTED')
  const field = { field: 'max_fee_usdt', decimals: DECIMALS.USDT }
  const maxFee =
    body.max_fee_usdt === undefined ? undefined : readAmount('USDT', body.max_fee_usdt, field)
  const knownCodes = body.known_codes ?? []
  const input = { user, planCode, kind: readKind(body), maxFee, knownCodes }
  const { remade, claim: rest } = await claimWithFormer(deps, input)
  const claim = rest ?? remade.at(-1)
  invariant(claim !== undefined, 'a claim was made')
  const dct = (base: bigint) => formatAmount('DCT', base, deps.dctDecimals)
  return {
    message: successOf('CLAIM_REQUESTED', { type: claim.kind }),
    data: {
      transaction_hash: pendingPartName(claim.now === 0n ? 'later' : 'now', claim.code),
      code_claim: claim.code,
      claim_type: claim.kind,
      now_amount: dct(claim.now),
      later_amount: dct(claim.later),
      unpaid_fee_usdt: formatUsdt(rest?.exact ?? 0n),
      receiver_address: formatReceiver(deps.feeReceiver),
      ...(remade.length > 0 && { remade: remade.map((one) => describeRemade(deps, one)) }),
    },
  }
}

function describeRemade({ dctDecimals }: ClaimsRoutesDeps, { code, paid, ...parts }: RemadeClaim) {
  return {
    code_claim: code,
    now_amount: formatAmount('DCT', parts.now, dctDecimals),
    later_amount: formatAmount('DCT', parts.later, dctDecimals),
    paid_usdt: formatUsdt(paid),
  }
}

/** The schema admits no other value. */
function readKind(body: ClaimBody): ClaimKind {
  const kind = CLAIM_KINDS.find((known) => known === body.claim_type.toUpperCase())
  invariant(kind !== undefined, 'a claim is FULL or HALF')
  return kind
}

function describeHalf(
  { dctDecimals }: ClaimsRoutesDeps,
  claim: Awaited<ReturnType<typeof earlyHalves>>[number],
) {
  return {
    earning_plan_code: claim.plan_code,
    code_claim: claim.code_claim,
    claim_type: claim.kind,
    claimed_amount: formatAmount('DCT', claim.now_amount, dctDecimals),
    claimed_trx_hash: earlyHash(claim) ?? '',
    claim_date: claim.requested_at.toISOString(),
  }
}

async function answerHistory(
  deps: Omit<ClaimsRoutesDeps, 'db'> & { db: ReadDb },
  query: ClaimHistory & { userId: bigint },
) {
  const { plan_code, earning_plan_code, search, start_date: _, end_date: __, ...rest } = query
  const { claims, total } = await listClaims(deps.db, {
    ...rest,
    ...instantsOf(readDayRange(query)),
    planCode: plan_code ?? earning_plan_code,
    search: await readClaimSearch(deps.db, search),
    dctDecimals: deps.dctDecimals,
  })
  return { claims: claims.map((claim) => serializeClaim(deps, claim)), ...listFrame(query, total) }
}
