import { attempt } from '../lib/attempt.ts'
import { peek } from '../lib/peek.ts'
import type { Answer, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type { InjectedProvider, InjectedTronWeb } from './injected.ts'
import { readFailure } from './read-failure.ts'
import { isOtherKind, tronAddressIn } from './tron-address.ts'
import { toWalletError, WalletError } from './wallet-error.ts'
import { followProvider } from './wallet-events.ts'

/** The account of another chain, or Tron's own in a form that nobody knows. */
const HEX_ADDRESS = /^(0x|41)?[0-9a-f]{40}$/i
/** The code by which older providers agree. */
const GRANTED = 200

/** A second request while the first prompt is open would be refused as "pending", so both share one. */
const openQuestions = new WeakMap<InjectedProvider, Promise<Answer>>()

/** A wallet that we talk to directly: TronLink, and any other that injects a provider. */
export function injectedWallet(candidate: WalletCandidate): FoundWallet {
  const { id, name, icon, provider, tronWeb } = candidate
  return {
    id,
    name,
    icon,
    isRemote: false,
    source: provider,
    extraSigningMs: 0,
    node: tronWeb,
    address: () => tronAddressIn(shownAddress(tronWeb())),
    isOtherKind: () => isOtherKind(shownAddress(tronWeb())),
    ask: () => question(candidate),
    giveUp: () => provider && openQuestions.delete(provider),
    signMessage: (text) => sign(tronWeb, () => requireMessages(candidate)(text)),
    signTransaction: (transaction) => sign(tronWeb, ({ trx }) => trx.sign(transaction)),
    async switchNetwork(chainId) {
      try {
        await provider?.request?.({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
      } catch (thrown) {
        throw toWalletError(thrown)
      }
    },
    follow: (onEvent) => followProvider(provider, onEvent),
  }
}

/** What the wallet shows as its address, of whatever kind. */
function shownAddress(tronWeb: InjectedTronWeb | undefined): unknown {
  return peek(peek(tronWeb, 'defaultAddress'), 'base58')
}

async function question({ provider, connectMethod }: WalletCandidate): Promise<Answer> {
  if (!provider || typeof peek(provider, 'request') !== 'function') return new WalletError('failed')
  const open = openQuestions.get(provider)
  if (open !== undefined) return open
  const asked = ask(provider, connectMethod).finally(() => {
    if (openQuestions.get(provider) === asked) openQuestions.delete(provider)
  })
  openQuestions.set(provider, asked)
  return asked
}

async function ask(provider: InjectedProvider, method: string): Promise<Answer> {
  try {
    return meaningOf(await provider.request?.({ method }))
  } catch (thrown) {
    return toWalletError(thrown)
  }
}

/** Newer providers answer with a list of addresses, older ones with `{ code }`, or with nothing when locked. */
function meaningOf(answer: unknown): Answer {
  if (!answer || (Array.isArray(answer) && answer.length === 0)) return 'empty'
  const first: unknown = Array.isArray(answer) ? answer[0] : answer
  if (typeof first === 'string' && HEX_ADDRESS.test(first)) return 'otherKind'
  const { meaning, codes } = readFailure(answer)
  const isGranted = codes.size === 0 ? meaning === 'unclear' : codes.has(GRANTED)
  return isGranted ? 'granted' : toWalletError(answer)
}

/**
 * Returns the function that signs messages. Some wallets support only an older message format, which the service
 * refuses.
 * @throws WalletError `cannotSignMessages`, which names the wallet
 */
export function requireMessages({
  name,
  tronWeb,
}: WalletCandidate): (text: string) => Promise<string> {
  const trx = attempt(() => tronWeb()?.trx)
  if (trx && typeof peek(trx, 'signMessageV2') !== 'function') {
    throw new WalletError('cannotSignMessages', { wallet: name })
  }
  return async (text) =>
    trx?.signMessageV2?.(text) ?? Promise.reject(new WalletError('notConnected'))
}

async function sign<T>(
  tronWeb: () => InjectedTronWeb | undefined,
  act: (tronWeb: InjectedTronWeb) => Promise<T>,
): Promise<T> {
  const shown = tronWeb()
  if (!shown) throw new WalletError('notConnected')
  try {
    return await act(shown)
  } catch (thrown) {
    throw toWalletError(thrown)
  }
}
