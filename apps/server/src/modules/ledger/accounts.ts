import type { AccountCode } from '@dct/api-contract/codes'

/** The normal side of an account's balance. `free` accounts (the owner's) may have a balance on either side. */
export type AccountSide = 'credit' | 'debit' | 'free'

/**
 * An account of the ledger. A sharded one is spread over 16 rows, so that concurrent transactions do not contend for a
 * single hot row. The database allows a shard to become negative; the audit checks that the sum of the shards does not.
 */
export type Account = {
  readonly code: string
  readonly side: AccountSide
  readonly isSharded: boolean
}

const house = (code: AccountCode, side: AccountSide): Account => ({ code, side, isSharded: true })
const single = (code: AccountCode, side: AccountSide): Account => ({ code, side, isSharded: false })

/** All accounts. An account is created by its first transfer. */
export const account = {
  /** DCT: the reward contract's balance for a plan. */
  chainPool: (planCode: string) => single(`chain_pool:${planCode}`, 'debit'),
  /** DCT: funded, but not promised to any stake. */
  free: (planCode: string) => single(`free:${planCode}`, 'credit'),
  /** DCT: promised to stakes, but not credited yet. */
  promised: (planCode: string) => house(`promised:${planCode}`, 'credit'),
  /** DCT: credited, but not claimed. */
  credited: (planCode: string) => house(`credited:${planCode}`, 'credit'),
  /** DCT: promised, then lapsed; will never be paid. */
  lapsed: (planCode: string) => house(`lapsed:${planCode}`, 'credit'),
  /** DCT: claimed, awaiting the fee. */
  claim: (claimId: bigint | string) => single(`claim:${claimId}`, 'credit'),
  /** DCT or USDT: owed and being sent. */
  payout: (payoutId: bigint | string) => single(`payout:${payoutId}`, 'credit'),
  /** DCT or USDT: what the chain paid to an account of payments beyond its final payouts. */
  advance: (accountId: bigint | string) => single(`advance:${accountId}`, 'debit'),
  /** DCT: locked capital in the staking contract. */
  chainStaking: (planCode: string) => house(`chain_staking:${planCode}`, 'debit'),
  /** DCT: locked capital, owed to its stakers. */
  principal: (planCode: string) => house(`principal:${planCode}`, 'credit'),
  /** DCT: sent directly to one of our contracts, so that it belongs to no plan and no stake. */
  donations: (place: 'staking' | 'reward_pool') => single(`donations:${place}`, 'debit'),
  /** DCT: the counterpart of `donations`. */
  surplus: (place: 'staking' | 'reward_pool') => single(`surplus:${place}`, 'credit'),

  /** USDT: received by the fee receivers. */
  feeReceiver: house('fee_receiver', 'debit'),
  /**
   * USDT: the vault's balance. Sharded so that a payment seen on chain can be booked even if a top-up was
   * missed.
   */
  payoutWallet: house('payout_wallet', 'debit'),
  /** USDT: fees, excluding their energy part. */
  incomeFee: house('income_fee', 'credit'),
  /** USDT: the energy part of fees. */
  incomeEnergy: house('income_energy', 'credit'),
  /** USDT: received without matching any fee. */
  suspense: house('suspense', 'credit'),
  /** USDT: direct referral rewards not claimed yet. */
  referralDirect: (userId: bigint | string) => single(`referral_direct:${userId}`, 'credit'),
  /** USDT: indirect referral rewards not claimed yet. */
  referralIndirect: (userId: bigint | string) => single(`referral_indirect:${userId}`, 'credit'),
  /** USDT: in a referral claim that is not approved yet. */
  referralClaim: (claimId: bigint | string) => single(`referral_claim:${claimId}`, 'credit'),
  /** The owner's top-ups and withdrawals, in either asset. */
  owner: single('owner', 'free'),
} as const

/** The accounts of a plan's own funds and capital. */
export function accountsOfPlan(planCode: string) {
  return {
    pool: account.chainPool(planCode),
    free: account.free(planCode),
    promised: account.promised(planCode),
    credited: account.credited(planCode),
    lapsed: account.lapsed(planCode),
    principal: account.principal(planCode),
  }
}
