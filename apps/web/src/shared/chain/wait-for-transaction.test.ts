import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { TronNode } from './injected.ts'
import { waitForTransaction } from './wait-for-transaction.ts'

const HASH = 'ab'.repeat(32)
const never = new AbortController().signal
const failed = { id: HASH, blockNumber: 7, result: 'FAILED', receipt: { result: 'REVERT' } }
const succeeded = { id: HASH, blockNumber: 8, receipt: { result: 'SUCCESS' } }

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

/** A node that knows what is listed; everything else it answers with `{}`, as real nodes do. */
function node(answers: Record<string, () => object>): () => TronNode {
  return () => ({ fullNode: { request: async (path: string) => answers[path]?.() ?? {} } })
}
const headAt = (timestamp: number) => () => ({ block_header: { raw_data: { timestamp } } })
async function end(answers: Record<string, () => object>, expiresAt: number | undefined) {
  const ended = waitForTransaction(node(answers), { hash: HASH, expiresAt }, never)
  await vi.advanceTimersByTimeAsync(400_000)
  return ended
}

test('a node that knows nothing and a clock past the expiry prove nothing', async () => {
  const answers = { 'wallet/getnowblock': headAt(10_000_000) }
  expect(await end(answers, 1_000)).toEqual({ status: 'unseen' })
})

test('a node without a clock does not hold up the search for ever', async () => {
  expect(await end({}, 1_000)).toEqual({ status: 'unseen' })
  expect(await end({}, undefined)).toEqual({ status: 'unseen' })
})

test('a failure counts only once it is in a final block', async () => {
  const onlyInHead = { 'wallet/gettransactioninfobyid': () => failed }
  expect(await end(onlyInHead, undefined)).toEqual({ status: 'unseen' })
  const final = { ...onlyInHead, 'walletsolidity/gettransactioninfobyid': () => failed }
  expect(await end(final, undefined)).toMatchObject({ status: 'failed' })
})

test('a transaction that failed in a block that was abandoned, and then succeeded, has succeeded', async () => {
  const answers = {
    'wallet/gettransactioninfobyid': () => failed,
    'walletsolidity/gettransactioninfobyid': () => succeeded,
  }
  expect(await end(answers, undefined)).toMatchObject({ status: 'success' })
})
