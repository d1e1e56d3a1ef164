import { errorText } from '../api/api-error.ts'
import { i18n } from '../i18n/texts.ts'
import { type FailureMeaning, isA, readFailure } from './read-failure.ts'
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
  return isA(error, WalletError) ? error.message : errorText(error, fallback)
}

/** What each meaning is called here; every other one is `failed`, with the wallet's own words. */
const PROBLEM_OF: Readonly<Partial<Record<FailureMeaning, WalletProblem>>> = {
  refused: 'rejected',
  busy: 'pending',
  locked: 'locked',
  notConnected: 'notConnected',
  disconnected: 'notConnected',
  unknownNetwork: 'otherNetwork',
  otherNetwork: 'otherNetwork',
  otherAccount: 'otherAccount',
  expired: 'expired',
  gone: 'gone',
  cutOff: 'cutOff',
}
/** TronLink's own code for an open prompt. */
const TRONLINK_BUSY = 4000

/**
 * Converts whatever a Tron wallet threw, or resolved with, to a `WalletError`. These wallets only sign, and the page
 * sends, so after any of these errors nothing was sent.
 */
export function toWalletError(thrown: unknown): WalletError {
  if (isA(thrown, WalletError)) return thrown
  const { meaning, codes, text } = readFailure(thrown)
  const isBusy = meaning === 'unclear' && codes.has(TRONLINK_BUSY)
  const problem = isBusy ? 'pending' : (PROBLEM_OF[meaning] ?? 'failed')
  const hasOwnWords = problem === 'failed' && text !== ''
  return new WalletError(problem, { cause: thrown, ...(hasOwnWords && { detail: text }) })
}
