import { JOIN_MAX_DCT, JOIN_MIN_DCT } from '@dct/rules/constants'
import { textOf } from './abi-codec.ts'
import type { ChainTranslate } from './chain.texts.ts'

/**
 * Selectors of the contract errors that a holder or an admin can run into. A hard-coded table, because neither the ABIs
 * nor a hash function belong in the bundle; its test compares it with the ABIs.
 */
export const ERROR_SELECTORS = {
  d93c0665: 'EnforcedPause',
  '72453ddc': 'Staking_AlreadyStaked',
  cdd21b00: 'Staking_AmountOutOfRange',
  '6de2a23c': 'TokenTransfers_BalanceMismatch',
  '4f2ef7f5': 'RewardPool_AlreadyReserved',
  '536f9221': 'RewardPool_InsufficientFree',
  '332fa876': 'RewardPool_PlanNotOpen',
  '6933f878': 'RewardPool_PlanRetired',
  '33063a49': 'RewardPool_InvalidPlanCode',
  '07fc8e21': 'RewardPool_WrongDuration',
  '6269602c': 'RewardPool_TermsBeyondLimits',
  fa5ec83c: 'RewardPool_ZeroAmount',
  fb8f41b2: 'ERC20InsufficientAllowance',
  e450d38c: 'ERC20InsufficientBalance',
} as const

export type ContractErrorName = (typeof ERROR_SELECTORS)[keyof typeof ERROR_SELECTORS]

/** Why a contract refused a call. `Unknown` may carry the revert's message. */
export type RevertReason =
  | { name: ContractErrorName | 'OutOfEnergy' }
  | { name: 'Unknown'; text: string }

/** The selector of `Error(string)`, which older tokens revert with. */
const PLAIN_ERROR = '08c379a0'

/** Decodes revert data (hex without 0x). Never throws. */
export function readRevert(data: string): RevertReason {
  const selector = data.slice(0, 8)
  if (isKnown(selector)) return { name: ERROR_SELECTORS[selector] }
  if (selector !== PLAIN_ERROR) return { name: 'Unknown', text: '' }
  try {
    return { name: 'Unknown', text: textOf(data.slice(8)) }
  } catch {
    return { name: 'Unknown', text: '' } // truncated: the selector alone gives no reason
  }
}

/** Describes a contract's refusal in a sentence. */
export function revertSentence(t: ChainTranslate, reason: RevertReason): string {
  if (reason.name === 'Staking_AmountOutOfRange') {
    return t(reason.name, { minimum: JOIN_MIN_DCT, maximum: JOIN_MAX_DCT })
  }
  if (reason.name !== 'Unknown') return t(reason.name)
  return reason.text ? t('UnknownWith', { text: reason.text }) : t('Unknown')
}

function isKnown(selector: string): selector is keyof typeof ERROR_SELECTORS {
  return Object.hasOwn(ERROR_SELECTORS, selector)
}
