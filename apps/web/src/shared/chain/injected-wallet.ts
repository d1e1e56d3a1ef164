import type { Answer, FoundWallet, WalletCandidate } from './found-wallet.ts'
import type { InjectedProvider, InjectedTronWeb } from './injected.ts'
import { readFailure } from './read-failure.ts'
import { toWalletError, WalletError } from './wallet-error.ts'
import { followProvider } from './wallet-events.ts'

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
    address: () => shownAddress(tronWeb()),
    ask: () => question(candidate),
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

function shownAddress(tronWeb: InjectedTronWeb | undefined): string | undefined {
  const shown = tronWeb?.defaultAddress || undefined
  return shown?.base58 || undefined
}

async function question({ provider, connectMethod }: WalletCandidate): Promise<Answer> {
  if (!provider?.request) return new WalletError('failed')
  const open = openQuestions.get(provider)
  if (open !== undefined) return open
  const asked = ask(provider, connectMethod).finally(() => openQuestions.delete(provider))
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
  const trx = tronWeb()?.trx
  if (trx && typeof trx.signMessageV2 !== 'function') {
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
