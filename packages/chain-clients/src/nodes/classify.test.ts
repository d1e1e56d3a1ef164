import { describe, expect, test } from 'vitest'
import { classifyReply, classifyRpcError, isRevert } from './classify.ts'
import { type NodeThrottled, RangeTooWide, StateGone } from './failures.ts'

const reply = (status: number, complaint: string) =>
  classifyReply({ host: 'node.example.org', status, complaint, retryAfterMs: 0 })
const envelope = (code: unknown, message: string, method = 'eth_getLogs') =>
  classifyRpcError('node.example.org', method, { code, message, data: undefined })

describe('a reply that is not an answer is classified by its status and wording', () => {
  test.each([
    [
      'TronGrid over its rate',
      403,
      'The key exceeds the frequency limit(15), and the query server is suspended for 30s',
      'throttled',
    ],
    ['a 403 without a cause', 403, '', 'throttled'],
    ['an unpaid endpoint of QuickNode', 403, 'Endpoint disabled: contact support', 'refused'],
    ['a wrong key', 401, 'invalid api key', 'refused'],
    ['a bare 429', 429, '', 'throttled'],
    ['a range error sent with 429', 429, 'eth_getLogs is limited to a 10,000 range', 'too wide'],
    ['a range error sent with 413', 413, 'Request Entity Too Large', 'too wide'],
    [
      'a Tron node that is busy',
      200,
      'class java.lang.IllegalAccessException : lack of computing resources',
      'throttled',
    ],
    ['a call that is switched off', 404, 'this API is unavailable due to config', 'not offered'],
    [
      'a lite node',
      200,
      'text that is not JSON: this API is closed because this node is a lite fullnode',
      'not offered',
    ],
    ['a fault of the node', 200, 'class java.lang.NullPointerException : null', 'unfit'],
    ['a page', 200, 'text that is not JSON: <!doctype html>', 'unfit'],
    ['a redirect', 302, '', 'refused'],
    ['a broken gateway', 502, '<html>', 'down'],
  ])('%s', (_what, status, complaint, kind) => {
    expect(reply(status, complaint).kind).toBe(kind)
  })

  test('TronGrid’s 403 asks for a pause of half a minute', () => {
    const error = reply(403, 'suspended for 30s')
    expect((error as NodeThrottled).retryAfterMs).toBe(30_000)
  })
})

describe('an error envelope is classified by its code and wording', () => {
  test.each([
    ['a public BSC node that never searches logs', -32_005, 'limit exceeded', 'not offered'],
    ['an unknown method', -32_601, 'the method does not exist', 'not offered'],
    [
      'a rate limit in the envelope',
      -32_005,
      'daily request count exceeded, request rate limited',
      'throttled',
    ],
    ['a rate limit by its code', 429, 'your app has exceeded its capacity', 'throttled'],
    ['too many results', -32_005, 'query returned more than 10000 results', 'too wide'],
    ['a node without the block', -32_000, 'header not found', 'down'],
    ['a node behind its neighbour', -32_000, 'header for hash not found', 'down'],
    ['a node before the block', -32_000, 'invalid block range params', 'down'],
    ['a node that gave up', -32_000, 'request timed out', 'down'],
    ['an error in unknown words', -32_000, 'snapshot stale', 'unfit'],
    ['an error without words', -32_603, 'Internal server error', 'unfit'],
    ['a request that others understand', -32_602, 'invalid params', 'unfit'],
  ])('%s', (_what, code, message, kind) => {
    const error = envelope(code, message)
    expect([error.kind, error.isAnswer]).toEqual([kind, false])
  })

  test.each([
    [3, 'execution reverted: daily limit exceeded'],
    [-32_000, 'execution reverted: rate limit'],
    [-32_000, 'insufficient funds for gas * price + value'],
    [-32_000, 'nonce too low'],
  ])('an error about the call itself is an answer: %s %s', (code, message) => {
    expect(envelope(code, message, 'eth_sendRawTransaction').isAnswer).toBe(true)
  })
})

test.each([
  [3, 'daily limit exceeded', undefined],
  [-32_000, 'execution reverted', undefined],
  [-32_015, 'VM execution error.', `Reverted 0x${'08c379a0'}`],
  [-32_000, 'transaction failed', '0x08c379a0'],
  [-32_000, 'invalid opcode: INVALID', undefined],
])('a call ended by the contract is a revert: %s %s %s', (code, message, data) => {
  expect(isRevert({ code, message, data })).toBe(true)
})

test.each([
  [-32_000, 'snapshot stale', undefined],
  [-32_000, 'out of memory', '0x'],
  [-32_015, 'busy', undefined],
  [-32_603, 'the last call reverted', undefined],
])('a code alone makes no revert: %s %s %s', (code, message, data) => {
  expect(isRevert({ code, message, data })).toBe(false)
})

test('a block whose state is gone is an answer, which another block may have', () => {
  const error = envelope(-32_000, 'missing trie node 1234', 'eth_getTransactionCount')
  expect(error).toBeInstanceOf(StateGone)
  expect(error.isAnswer).toBe(true)
})

test.each([
  ['exceed max block range: 5000', 5_000],
  ['exceed maximum block range: 5000', 5_000],
  ['eth_getLogs is limited to a 10,000 range', 10_000],
  [
    'You can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x64, 0x6d]',
    10,
  ],
  ['range 20001 exceeds limit of 10000', 10_000],
  ['maximum block range: 1024', 1_024],
  ['exceeds the range allowed for your plan (5000 > 100)', 100],
  ['ranges over 10000 blocks are not supported on freetier', 10_000],
  ['requested too many blocks from 1 to 9999, maximum is set to 2048', 2_048],
  ['Maximum allowed number of requested blocks is 3500', 3_500],
  ['please limit the query to at most 1000 blocks', 1_000],
  ['block range is larger than max block range, block range = 5120, max block range = 5000', 5_000],
  ['requested block range is too large: 2000, maximum allowed is 1000', 1_000],
  ['You can make eth_getLogs requests with up to a 2K block range', 2_000],
  ['query exceeds max results 20000, retry with the range 1-999999', undefined],
  ['Block range limit exceeded.', undefined],
  ['block range is too wide', undefined],
  ['query returned more than 10000 results', undefined],
])('a node that says "%s" allows %s blocks', (message, allowed) => {
  const error = envelope(-32_000, message)
  expect(error).toBeInstanceOf(RangeTooWide)
  expect((error as RangeTooWide).allowed).toBe(allowed)
})
