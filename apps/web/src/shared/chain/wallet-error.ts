import { defineTexts, i18n } from '../i18n/texts.ts'

/** Why a wallet did not do what it was asked. */
export type WalletProblem =
  | 'notInstalled'
  | 'notConnected'
  | 'noAccount'
  | 'noAnswer'
  | 'rejected'
  | 'pending'
  | 'otherNetwork'
  | 'failed'

/** Wordings of the product, the same in every language. */
const WALLET_ERROR_WORDING = {
  notInstalled: 'Please install tronlink first!',
  notConnected: 'TronLink is not connected. Please connect your wallet.',
  noAccount: 'Tronlink does not provide account access.Make sure you are logged in.',
  noAnswer: 'Tronlink does not respond.Make sure you have logged in on Tronlink.',
} as const

export const walletErrorTexts = defineTexts('walletError', {
  rejected: 'You declined the request in the wallet. Nothing was sent.',
  pending: 'The wallet already shows a request. Open the wallet and answer it first.',
  otherNetwork: 'The wallet is on another network. Switch the network in the wallet and try again.',
  failed: 'The wallet could not complete the request.',
})

/** A wallet's "no". The message is ready to be shown, in the language of the moment. */
export class WalletError extends Error {
  override name = 'WalletError'
  readonly problem: WalletProblem
  constructor(problem: WalletProblem, options: { detail?: string; cause?: unknown } = {}) {
    super(options.detail ?? textFor(problem), { cause: options.cause })
    this.problem = problem
  }
}

function textFor(problem: WalletProblem): string {
  if (problem in WALLET_ERROR_WORDING) {
    return WALLET_ERROR_WORDING[problem as keyof typeof WALLET_ERROR_WORDING]
  }
  return i18n._(`${walletErrorTexts.scope}.${problem}`)
}

/** Wallets have no common error for a declined signature, so their known wordings are listed. */
const DECLINED = /declined|rejected|denied|cancell?ed|refused/i

/** Gives whatever a wallet threw, or resolved with, its meaning. */
export function toWalletError(thrown: unknown): WalletError {
  if (thrown instanceof WalletError) return thrown
  const code = codeOf(thrown)
  if (code === 4001) return new WalletError('rejected', { cause: thrown })
  if (code === -32002 || code === 4000) return new WalletError('pending', { cause: thrown })
  if (code === 4100 || code === 4900) return new WalletError('notConnected', { cause: thrown })
  if (code === 4901 || code === 4902) return new WalletError('otherNetwork', { cause: thrown })
  const text = textOf(thrown)
  if (DECLINED.test(text)) return new WalletError('rejected', { cause: thrown })
  return new WalletError('failed', { cause: thrown, ...(text && { detail: text }) })
}

export function codeOf(value: unknown): number | undefined {
  const code = (value as { code?: unknown } | null | undefined)?.code
  return typeof code === 'number' ? code : undefined
}

function textOf(thrown: unknown): string {
  if (typeof thrown === 'string') return thrown
  const message = (thrown as { message?: unknown } | null | undefined)?.message
  return typeof message === 'string' ? message : ''
}
