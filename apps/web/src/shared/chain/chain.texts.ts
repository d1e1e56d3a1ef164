import { defineTexts, type Translate } from '../i18n/texts.ts'
import type { RevertReason } from './revert-reason.ts'

/** Why a contract would refuse, or refused, in words. */
export const chainTexts = defineTexts('chain', {
  EnforcedPause: 'Joining and paying in are paused at the moment. Please try again later.',
  Staking_AlreadyStaked: 'This account has already locked tokens in this plan.',
  Staking_AmountOutOfRange: 'The contract accepts 10 to 50 DCT only.',
  TokenTransfers_BalanceMismatch: 'The token did not arrive in full, so the contract refused it.',
  RewardPool_AlreadyReserved: 'This account has already a reward reserved in this plan.',
  RewardPool_InsufficientFree: 'The reward pool of this plan cannot cover the whole reward.',
  RewardPool_PlanNotOpen: 'This plan is not open on the chain (yet).',
  RewardPool_PlanRetired: 'This plan is closed for good.',
  RewardPool_InvalidPlanCode: 'The contract does not accept this plan code.',
  RewardPool_WrongDuration: 'The duration differs from the one on the chain. Please refresh.',
  RewardPool_ZeroAmount: 'The amount must be greater than 0.',
  ERC20InsufficientAllowance: 'The approved amount is too small.',
  ERC20InsufficientBalance: 'There is not enough DCT in the wallet.',
  OutOfEnergy: 'The transaction ran out of energy.',
  Unknown: 'The contract refused the call.',
  UnknownWith: 'The contract refused the call: {text}',
})

export type ChainTranslate = Translate<(typeof chainTexts)['english']>

/** A refusal of a contract as a sentence. */
export function revertSentence(t: ChainTranslate, reason: RevertReason): string {
  if (reason.name !== 'Unknown') return t(reason.name)
  return reason.text ? t('UnknownWith', { text: reason.text }) : t('Unknown')
}
