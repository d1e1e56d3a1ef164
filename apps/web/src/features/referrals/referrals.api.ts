import type { ChallengeBody, ChallengeReply } from '@dct/api-contract/auth'
import type {
  BonusType,
  ClaimPoolHistoryReply,
  EarningsSpan,
  ReferralEarningsReply,
  ReferralRewardsReply,
  ReferralSummaryReply,
  ReferralsReply,
  ReferralTreeReply,
  SaveReferralClaimBody,
  SaveReferralClaimReply,
} from '@dct/api-contract/referrals'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { ApiError } from '../../shared/api/api-error.ts'
import type { QueryParams } from '../../shared/api/call-address.ts'
import { api } from '../../shared/api/client.ts'
import type { ListQuery } from '../../shared/api/wire.ts'
import { tokenStore } from '../../shared/session/token-store.ts'
import { REFERRAL_WORDING } from './referrals.texts.ts'

export const referralQueries = {
  all: ['referrals'] as const,
  downline: (query: ListQuery) =>
    queryOptions({
      queryKey: [...referralQueries.all, 'downline', query] as const,
      queryFn: ({ signal }) => get<ReferralsReply>('/auth/referrals', { query, signal }),
      select: ({ referrals: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  rewards: (query: ListQuery) =>
    queryOptions({
      queryKey: [...referralQueries.all, 'rewards', query] as const,
      queryFn: ({ signal }) =>
        get<ReferralRewardsReply>('/user/referral-reward-history', { query, signal }),
      select: ({ referral_rewards: rows, ...frame }) => ({ rows, ...frame }),
      placeholderData: keepPreviousData,
    }),
  tree: () =>
    queryOptions({
      queryKey: [...referralQueries.all, 'tree'] as const,
      queryFn: ({ signal }) => get<ReferralTreeReply>('/user/referral-tree', { signal }),
    }),
  earnings: (by: EarningsSpan) =>
    queryOptions({
      queryKey: [...referralQueries.all, 'earnings', by] as const,
      queryFn: ({ signal }) =>
        get<ReferralEarningsReply>('/user/referral-earnings', { query: { by }, signal }),
      placeholderData: keepPreviousData,
    }),
  summary: () =>
    queryOptions({
      queryKey: [...referralQueries.all, 'summary'] as const,
      queryFn: ({ signal }) =>
        get<Partial<ReferralSummaryReply>>('/user/referral-summary', { signal }),
      select: ({ referral_summary }) => referral_summary ?? null,
    }),
  claims: (query: ListQuery) =>
    queryOptions({
      queryKey: [...referralQueries.all, 'claims', query] as const,
      queryFn: ({ signal }) =>
        get<ClaimPoolHistoryReply>('/user/referral-claim-pool-history', { query, signal }),
      select: ({ referral_claim_pool, totalPages, total, usual_wait }) => ({
        rows: referral_claim_pool,
        totalPages,
        total,
        usualWait: usual_wait ?? null,
      }),
      placeholderData: keepPreviousData,
    }),
}

export type ReferralClaim = { tronAddress: string; usdtAddress: string; type: BonusType }
type Sign = (message: string) => Promise<string>

/**
 * Has the wallet sign the claim and its destination, and submits it.
 * @throws ApiError, WalletError
 */
export async function saveReferralClaim(
  { tronAddress, usdtAddress, type }: ReferralClaim,
  sign: Sign,
): Promise<Partial<SaveReferralClaimReply>> {
  const request = { usdt_address: usdtAddress, type }
  const challenge: ChallengeBody = {
    ...request,
    tron_address: tronAddress,
    purpose: 'referral_claim',
  }
  const { message, nonce } = await post<ChallengeReply>('/auth/challenge', challenge)
  const claim: SaveReferralClaimBody = { ...request, nonce, signature: await sign(message) }
  return post('/user/save-referral-claim-pool', claim)
}

async function get<T>(path: string, options: { query?: QueryParams; signal: AbortSignal }) {
  requireToken()
  return api.get<T>(path, options)
}

async function post<T>(path: string, body: object): Promise<T> {
  requireToken()
  try {
    return await api.post<T>(path, body)
  } catch (error) {
    const isUnexplained = error instanceof ApiError && error.status === 0 && error.message === ''
    throw isUnexplained ? new ApiError({ status: 0, message: REFERRAL_WORDING.saveFailed }) : error
  }
}

/** Without a token the request cannot succeed. @throws ApiError */
function requireToken(): void {
  if (tokenStore.get() === null) {
    throw new ApiError({ status: 401, message: REFERRAL_WORDING.noToken })
  }
}
