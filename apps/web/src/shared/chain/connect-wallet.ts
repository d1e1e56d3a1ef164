import { endedWith } from '../lib/ended-with.ts'
import type { Answer, ConnectGuide, FoundWallet } from './found-wallet.ts'
import { WalletError, type WalletProblem } from './wallet-error.ts'

/** Problems that another attempt may not have, such as those of an extension that is just waking up. */
const MAY_PASS: ReadonlySet<WalletProblem> = new Set(['failed', 'cutOff'])
const ATTEMPTS = 10
const ATTEMPT_MS = 1000
/** Wallets set `tronWeb` shortly after the user agrees. */
const ADDRESS_WITHIN_MS = 2000
const ADDRESS_STEP_MS = 100

/**
 * Asks the wallet for its account and waits until the address is available. A remote wallet is asked once, with no time
 * limit for its user.
 * @throws WalletError `cancelled` once the guide's signal is aborted, `rejected`, `pending`, `noAccount`, `otherKind`, or `noAnswer` after ten attempts, one a second
 */
export async function connectWallet(wallet: FoundWallet, guide: ConnectGuide): Promise<void> {
  try {
    await endedWith(connect(wallet, guide), guide.signal, () => new WalletError('cancelled'))
  } catch (thrown) {
    // A prompt that was closed without an answer must not keep the next attempt waiting.
    wallet.giveUp()
    throw thrown
  }
}

async function connect(wallet: FoundWallet, guide: ConnectGuide): Promise<void> {
  if (!wallet.isRemote) return connectInPage(wallet, guide)
  const answer = await wallet.ask(guide)
  if (answer instanceof WalletError) throw answer
  await waitForAddress(wallet, answer)
}

async function connectInPage(wallet: FoundWallet, guide: ConnectGuide): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    if (wallet.address() || guide.signal.aborted) return
    const answer = await Promise.race([wallet.ask(guide), pause(ATTEMPT_MS)])
    if (answer === 'granted' || answer === 'otherKind') return await waitForAddress(wallet, answer)
    if (answer === 'empty') throw new WalletError('noAccount')
    if (answer instanceof WalletError) {
      if (!MAY_PASS.has(answer.problem)) throw answer
      await pause(ATTEMPT_MS)
    }
  }
  if (!wallet.address()) throw new WalletError('noAnswer')
}

async function waitForAddress(wallet: FoundWallet, answer: Answer): Promise<void> {
  for (let waited = 0; !wallet.address(); waited += ADDRESS_STEP_MS) {
    if (waited >= ADDRESS_WITHIN_MS) {
      const isOtherKind = answer === 'otherKind' || wallet.isOtherKind()
      throw new WalletError(isOtherKind ? 'otherKind' : 'noAccount', { wallet: wallet.name })
    }
    await pause(ADDRESS_STEP_MS)
  }
}

function pause(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms))
}
