/** Which side an account's balance stands on. `free` accounts (the owner's) may stand on either. */
export type AccountSide = 'credit' | 'debit' | 'free'

/**
 * An account of the ledger. A sharded one is kept in 16 rows, so that nobody waits for one row that everybody
 * changes: a single shard may go below zero, their sum may not.
 */
export type Account = {
  readonly code: string
  readonly side: AccountSide
  readonly isSharded: boolean
}

const house = (code: string, side: AccountSide): Account => ({ code, side, isSharded: true })
const single = (code: string, side: AccountSide): Account => ({ code, side, isSharded: false })

/** Every account there is. Accounts come into being with their first transfer. */
export const account = {
  /** DCT: what the reward contract holds for a plan. */
  chainPool: (planCode: string) => single(`chain_pool:${planCode}`, 'debit'),
  /** DCT: funded and not promised to any stake. */
  free: (planCode: string) => single(`free:${planCode}`, 'credit'),
  /** DCT: promised to stakes, not credited yet. */
  promised: (planCode: string) => house(`promised:${planCode}`, 'credit'),
  /** DCT: credited and not claimed. */
  credited: (planCode: string) => house(`credited:${planCode}`, 'credit'),
  /** DCT: promised once, never to be paid. */
  lapsed: (planCode: string) => house(`lapsed:${planCode}`, 'credit'),
  /** DCT: claimed, waiting for the fee. */
  claim: (claimId: bigint | string) => single(`claim:${claimId}`, 'credit'),
  /** DCT or USDT: owed and being sent. */
  payout: (payoutId: bigint | string) => single(`payout:${payoutId}`, 'credit'),
  /** DCT: locked capital in the staking contract. */
  chainStaking: (planCode: string) => house(`chain_staking:${planCode}`, 'debit'),
  /** DCT: locked capital, owed to its stakers. */
  principal: (planCode: string) => house(`principal:${planCode}`, 'credit'),
  /** DCT: sent to a contract of ours by itself; belongs to no plan and no stake. */
  donations: (place: 'staking' | 'reward_pool') => single(`donations:${place}`, 'debit'),
  /** DCT: the other side of `donations`. */
  surplus: (place: 'staking' | 'reward_pool') => single(`surplus:${place}`, 'credit'),

  /** USDT: what reached the fee receivers. */
  feeReceiver: house('fee_receiver', 'debit'),
  /** USDT: what the payout wallet holds. Sharded: what the chain shows must be booked, even if a top-up was missed. */
  payoutWallet: house('payout_wallet', 'debit'),
  /** USDT: fees without their energy part. */
  incomeFee: house('income_fee', 'credit'),
  /** USDT: the energy part of fees. */
  incomeEnergy: house('income_energy', 'credit'),
  /** USDT: received, and fits no fee. */
  suspense: house('suspense', 'credit'),
  /** USDT: direct referral rewards not claimed yet. */
  referralDirect: (userId: bigint | string) => single(`referral_direct:${userId}`, 'credit'),
  /** USDT: indirect referral rewards not claimed yet. */
  referralIndirect: (userId: bigint | string) => single(`referral_indirect:${userId}`, 'credit'),
  /** USDT: in a referral claim, not approved yet. */
  referralClaim: (claimId: bigint | string) => single(`referral_claim:${claimId}`, 'credit'),
  /** Top-ups and withdrawals of the owner, in either asset. */
  owner: single('owner', 'free'),
} as const
