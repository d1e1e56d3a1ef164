import { defineTexts, type Translate } from '../i18n/texts.ts'

/** Sentences for the reasons why a contract refuses a call. */
export const chainTexts = defineTexts('chain', {
  EnforcedPause: 'Joining and paying in are paused at the moment. Please try again later.',
  Staking_AlreadyStaked: 'This account has already locked tokens in this plan.',
  Staking_AmountOutOfRange: 'The contract accepts {minimum} to {maximum} DCT only.',
  TokenTransfers_BalanceMismatch: 'The token did not arrive in full, so the contract refused it.',
  RewardPool_AlreadyReserved: 'This account already has a reward reserved in this plan.',
  RewardPool_InsufficientFree: 'The reward pool of this plan cannot cover the whole reward.',
  RewardPool_PlanNotOpen: 'This plan is not open on the chain (yet).',
  RewardPool_PlanRetired: 'This plan is closed for good.',
  RewardPool_InvalidPlanCode: 'The contract does not accept this plan code.',
  RewardPool_WrongDuration: 'The duration differs from the one on the chain. Please refresh.',
  RewardPool_TermsBeyondLimits: 'The contract takes no new joins under the terms of this plan.',
  RewardPool_ZeroAmount: 'The amount must be greater than 0.',
  ERC20InsufficientAllowance: 'The approved amount is too small.',
  ERC20InsufficientBalance: 'There is not enough DCT in the wallet.',
  OutOfEnergy: 'The transaction ran out of energy.',
  Unknown: 'The contract refused the call.',
  UnknownWith: 'The contract refused the call: {text}',
})

export type ChainTranslate = Translate<(typeof chainTexts)['english']>
