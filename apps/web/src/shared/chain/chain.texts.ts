import { defineTexts, type Translate } from '../i18n/texts.ts'

/** Sentences for the reasons why a contract refuses a call. */
export const chainTexts = defineTexts('chain', {
  EnforcedPause: 'Joining and funding are paused at the moment. Please try again later.',
  Staking_AlreadyStaked: 'This account has already locked tokens in this plan.',
  Staking_AmountOutOfRange: 'The contract only accepts amounts from {minimum} to {maximum} DCT.',
  TokenTransfers_BalanceMismatch:
    'The full amount did not arrive, so the contract refused the transfer.',
  RewardPool_AlreadyReserved: 'This account already has a reward reserved in this plan.',
  RewardPool_InsufficientFree: 'The reward pool of this plan cannot cover the full reward.',
  RewardPool_PlanNotOpen: 'This plan is not open on the blockchain.',
  RewardPool_PlanRetired: 'This plan has been closed permanently.',
  RewardPool_InvalidPlanCode: 'The contract does not accept this plan code.',
  RewardPool_WrongDuration:
    'The duration of this plan differs from the one on the blockchain. Please refresh the page.',
  RewardPool_TermsBeyondLimits:
    'The contract does not accept new joins under the terms of this plan.',
  RewardPool_ZeroAmount: 'The amount must be greater than 0.',
  ERC20InsufficientAllowance: 'The approved amount is too small.',
  ERC20InsufficientBalance: 'The wallet does not hold enough DCT.',
  OutOfEnergy: 'The transaction ran out of energy.',
  Unknown: 'The contract refused the call.',
  UnknownWith: 'The contract refused the call: {text}',
})

export type ChainTranslate = Translate<(typeof chainTexts)['english']>
