import { textOf } from './abi-codec.ts'

/**
 * Selectors of the contract errors that a holder or an admin can meet. A table, because neither the ABIs
 * nor a hash function belong into the bundle; its test compares it with the ABIs.
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
  fa5ec83c: 'RewardPool_ZeroAmount',
  fb8f41b2: 'ERC20InsufficientAllowance',
  e450d38c: 'ERC20InsufficientBalance',
} as const

export type ContractErrorName = (typeof ERROR_SELECTORS)[keyof typeof ERROR_SELECTORS]

/** Why a contract refused a call. `Unknown` may carry the text that came with it. */
export type RevertReason =
  | { name: ContractErrorName | 'OutOfEnergy' }
  | { name: 'Unknown'; text: string }

/** `Error(string)`, which older tokens revert with. */
const PLAIN_ERROR = '08c379a0'

/** Reads the data of a revert; hex without 0x. Never throws. */
export function readRevert(data: string): RevertReason {
  const selector = data.slice(0, 8)
  if (isKnown(selector)) return { name: ERROR_SELECTORS[selector] }
  if (selector !== PLAIN_ERROR) return { name: 'Unknown', text: '' }
  try {
    return { name: 'Unknown', text: textOf(data.slice(8)) }
  } catch {
    return { name: 'Unknown', text: '' } // cut off on its way: the selector alone tells nothing more
  }
}

function isKnown(selector: string): selector is keyof typeof ERROR_SELECTORS {
  return Object.hasOwn(ERROR_SELECTORS, selector)
}
