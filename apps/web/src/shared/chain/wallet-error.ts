import { errorText } from '../api/api-error.ts'
import { i18n } from '../i18n/texts.ts'
import { walletErrorTexts } from './wallet-error.texts.ts'

/** Why a wallet did not carry out a request. */
export type WalletProblem = keyof (typeof walletErrorTexts)['english']

/** A wallet's failure or refusal. The message is ready to be shown, in the current language. */
export class WalletError extends Error {
  override name = 'WalletError'
  readonly problem: WalletProblem
  /** `wallet` is the wallet's name, for the texts that contain it. */
  constructor(
    problem: WalletProblem,
    options: { detail?: string; cause?: unknown; wallet?: string } = {},
  ) {
    const { detail, cause, wallet = '' } = options
    super(detail ?? i18n._(`${walletErrorTexts.scope}.${problem}`, { wallet }), { cause })
    this.problem = problem
  }
}

/** The text to show for a request that a wallet signs: the wallet's own message, otherwise as for any request. */
export function walletErrorText(error: unknown, fallback: string): string {
  return error instanceof WalletError ? error.message : errorText(error, fallback)
}

/** Wallets have no common error for a declined signature, so we match the wordings we know. */
const DECLINED = /declined|rejected|denied|cancell?ed|refused/i

/** Converts whatever a wallet threw, or resolved with, to a `WalletError`. */
export function toWalletError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown
  const code = codeOf(thrown)
  if (code === 4001) return new WalletError('rejected', { cause: thrown })
  if (code === -32002 || code === 4000) return new WalletError('pending', { cause: thrown })
  if (code === 4100 || code === 4900) return new WalletError('notConnected', { cause: thrown })
  if (code === 4901 || code === 4902) return new WalletError('otherNetwork', { cause: thrown })
  const text = messageOf(thrown)
  if (DECLINED.test(text)) return new WalletError('rejected', { cause: thrown })
  return new WalletError('failed', { cause: thrown, ...(text && { detail: text }) })
}

export function codeOf(value: unknown): number | undefined {
  const code = (value as { code?: unknown } | null | undefined)?.code
  return typeof code === 'number' ? code : undefined
}

/** The text that a wallet threw, or the message of its error; '' if it has none. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  const message = (thrown as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : ''
}
