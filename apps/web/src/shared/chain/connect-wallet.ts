import { addressOf, type FoundWallet } from './discover-wallets.ts'
import type { InjectedProvider } from './injected.ts'
import { codeOf, toWalletError, WalletError } from './wallet-error.ts'

const ATTEMPTS = 10
const ATTEMPT_MS = 1000
/** Wallets set `tronWeb` a little after they have agreed. */
const ADDRESS_WITHIN_MS = 2000
const ADDRESS_STEP_MS = 100

type Answer = 'granted' | 'empty' | WalletError

/** A second question while the first pop-up is open would be refused as "pending", so they share one. */
const openQuestions = new WeakMap<InjectedProvider, Promise<Answer>>()

/**
 * Asks the wallet for its account and waits until it shows one.
 * @throws WalletError `rejected`, `pending`, `noAccount`, or `noAnswer` after ten tries, one a second.
 */
export async function connectWallet(wallet: FoundWallet): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (addressOf(wallet)) return
    const answer = await Promise.race([question(wallet), pause(ATTEMPT_MS)])
    if (answer === 'granted') return await waitForAddress(wallet)
    if (answer === 'empty') throw new WalletError('noAccount')
    if (answer instanceof WalletError) {
      if (answer.problem !== 'failed') throw answer
      await pause(ATTEMPT_MS)
    }
  }
  if (!addressOf(wallet)) throw new WalletError('noAnswer')
}

function question({ provider, connectMethod }: FoundWallet): Promise<Answer | undefined> {
  if (!provider?.request) return pause(ATTEMPT_MS)
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

/** New providers answer with a list of addresses, older ones with `{ code }`, or nothing when locked. */
function meaningOf(answer: unknown): Answer {
  if (!answer || (Array.isArray(answer) && answer.length === 0)) return 'empty'
  const code = codeOf(answer)
  return code === undefined || code === 200 ? 'granted' : toWalletError(answer)
}

async function waitForAddress(wallet: FoundWallet): Promise<void> {
  for (let waited = 0; !addressOf(wallet); waited += ADDRESS_STEP_MS) {
    if (waited >= ADDRESS_WITHIN_MS) throw new WalletError('noAccount')
    await pause(ADDRESS_STEP_MS)
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}
