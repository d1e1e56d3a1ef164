import { ERROR_SELECTORS } from '@dct/contract-abi/error-selectors'
import { JOIN_MAX_DCT, JOIN_MIN_DCT } from '@dct/rules/constants'
import { textOf } from './abi-codec.ts'
import { type ChainTranslate, chainTexts } from './chain.texts.ts'

/** The contract errors that pages have a sentence for, because a holder or an admin can run into them. */
type ContractErrorName = Extract<
  (typeof ERROR_SELECTORS)[keyof typeof ERROR_SELECTORS],
  keyof (typeof chainTexts)['english']
>

/** Why a contract refused a call. `Unknown` may carry the revert's message. */
export type RevertReason =
  | { name: ContractErrorName | 'OutOfEnergy' }
  | { name: 'Unknown'; text: string }

const ERRORS_BY_SELECTOR: ReadonlyMap<string, string> = new Map(Object.entries(ERROR_SELECTORS))
/** The selector of `Error(string)`, which older tokens revert with. */
const PLAIN_ERROR = '08c379a0'

/** Decodes revert data (hex without 0x). Never throws. */
export function readRevert(data: string): RevertReason {
  const selector = data.slice(0, 8)
  const name = ERRORS_BY_SELECTOR.get(selector)
  if (name !== undefined && hasSentence(name)) return { name }
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

function hasSentence(name: string): name is ContractErrorName {
  return Object.hasOwn(chainTexts.english, name)
}
