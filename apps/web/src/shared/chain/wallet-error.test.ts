import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { attempt } from '../lib/attempt.ts'
import { memory } from '../testing/memory.ts'
import type { InjectedProvider, InjectedTronWeb, WalletWindow } from './injected.ts'
import { type FailureMeaning, readFailure } from './read-failure.ts'
import { WALLET_REPLIES } from './testing/wallet-replies.ts'
import { ALICE } from './testing/wallet-stands.ts'
import { toWalletError, WalletError, type WalletProblem } from './wallet-error.ts'
import { WalletStore } from './wallet-store.ts'

const PROBLEMS: Readonly<Record<FailureMeaning, WalletProblem>> = {
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
  noFunds: 'failed',
  unsupported: 'failed',
  wouldFail: 'failed',
  unclear: 'failed',
}

test.each(WALLET_REPLIES)('$wallet, $meaning: the text for it', ({ meaning, thrown }) => {
  const problem = PROBLEMS[meaning]
  const { message } = new WalletError(problem)
  const own = problem === 'failed' ? readFailure(thrown).text : ''
  expect(toWalletError(thrown)).toMatchObject({ problem, message: own || message })
})

test('an object that may not even be asked what it is becomes an error of ours', () => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  // What throws such an object cannot be reported by the runner.
  expect(attempt(() => toWalletError(proxy).problem)).toBe('failed')
})

test('an open prompt of TronLink has a code of its own', () => {
  expect(toWalletError({ code: 4000 }).problem).toBe('pending')
  expect(toWalletError({ code: 4000, message: 'User rejected' }).problem).toBe('rejected')
})

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

function storeWith(tron: InjectedProvider): WalletStore {
  const win = Object.assign(new EventTarget(), { location: { origin: '' }, tron })
  return new WalletStore(win as WalletWindow, memory())
}
const throwing = (thrown: unknown) => async (): Promise<never> => {
  throw thrown
}
const TRANSACTION = { txID: 'aa', raw_data: {}, raw_data_hex: '' }

test.each(WALLET_REPLIES)(
  'nothing is signed after $meaning, as $wallet throws it or answers it',
  async ({ meaning, thrown }) => {
    for (const answer of [throwing(thrown), async () => thrown]) {
      const trx = { sign: answer, signMessageV2: answer }
      const tronWeb = { defaultAddress: { base58: ALICE }, trx } as unknown as InjectedTronWeb
      const store = storeWith({ request: async () => [ALICE], tronWeb })
      const problem = PROBLEMS[meaning]
      await expect(store.signTransaction(TRANSACTION)).rejects.toMatchObject({ problem })
      // Any other text could be a signature, which only the service can tell.
      if (typeof thrown === 'string' && meaning === 'unclear') continue
      await expect(store.signMessage('hello')).rejects.toMatchObject({ problem })
    }
  },
)

/** These may pass with another attempt, so the wallet is asked ten times. */
const MAY_PASS = new Set<WalletProblem>(['failed', 'cutOff'])
test.each(WALLET_REPLIES)(
  'connecting ends at once after $meaning, as $wallet says it',
  async ({ meaning, thrown }) => {
    const problem = PROBLEMS[meaning]
    const connecting = storeWith({ request: throwing(thrown) }).connect()
    const refused = expect(connecting).rejects.toMatchObject({
      problem: MAY_PASS.has(problem) ? 'noAnswer' : problem,
    })
    await vi.advanceTimersByTimeAsync(MAY_PASS.has(problem) ? 10_000 : 1)
    await refused
  },
)
