import { expect, test } from 'vitest'
import { type FailureMeaning, readFailure } from './read-failure.ts'
import { WALLET_REPLIES } from './testing/wallet-replies.ts'
import { toWalletError, WalletError, type WalletProblem } from './wallet-error.ts'

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

test('an open prompt of TronLink has a code of its own', () => {
  expect(toWalletError({ code: 4000 }).problem).toBe('pending')
  expect(toWalletError({ code: 4000, message: 'User rejected' }).problem).toBe('rejected')
})
