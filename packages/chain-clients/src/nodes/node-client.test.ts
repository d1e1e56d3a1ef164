import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createEvmClient, createTronClient } from '../chains/index.ts'
import { NodeRefused, NodeThrottled, NodeUnavailable } from './failures.ts'
import { createNodeClient } from './node-client.ts'
import { createRequestBudget } from './request-budget.ts'

/** A node whose replies the test sets. */
type Answer = { status?: number; headers?: Record<string, string>; body: string; hangs?: boolean }
let server: Server
let url = ''
let answers: Answer[] = []
let requests = 0
let lastHeaders: IncomingHttpHeaders = {}

beforeAll(async () => {
  server = createServer((request, response) => {
    requests += 1
    lastHeaders = request.headers
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const answer = answers.shift() ?? { body: '{}' }
      if (answer.hangs === true) return
      const { id = 0 } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { id?: number }
      response.writeHead(answer.status ?? 200, answer.headers)
      response.end(answer.body.replace('"$id"', `${id}`))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  answers = []
  requests = 0
})

const rpcResult = (result: unknown) => ({
  body: JSON.stringify({ jsonrpc: '2.0', id: '$id', result }),
})
const HASH = `0x${'ab'.repeat(32)}` as const

test.each([
  ['403', { status: 403, body: '{"Error":"suspended for 30s"}' }, 30_000],
  ['429 with a requested pause', { status: 429, headers: { 'retry-after': '7' }, body: '' }, 7_000],
  ['503', { status: 503, body: 'busy' }, 1_000],
  ['200 with a rate limit message', { body: '{"Error":"exceeds the frequency limit(15)"}' }, 1_000],
])(
  'a node that throttles with %s gets no requests until the pause is over',
  async (_how, answer, pauseMs) => {
    const client = createNodeClient({ url })
    answers = [answer]
    const error = await client.post('', {}, String).catch((caught: unknown) => caught)
    expect(error).toBeInstanceOf(NodeThrottled)
    expect((error as NodeThrottled).retryAfterMs).toBe(pauseMs)
    await expect(client.post('', {}, String)).rejects.toBeInstanceOf(NodeThrottled)
    expect(requests).toBe(1)
  },
)

test('only a well-formed quota of a provider is passed on', async () => {
  const reported: unknown[] = []
  const client = createNodeClient({ url, onQuota: (quota) => reported.push(quota) })
  const headersOf = (limit: string, remaining: string) => ({
    ...{ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining },
  })
  answers = [
    { headers: headersOf('1000', '12'), body: '{}' },
    { headers: headersOf('many', '11'), body: '{}' },
    { body: '{}' },
  ]
  for (let asked = 0; asked < 3; asked += 1) await client.post('', {}, String)
  expect(reported).toEqual([{ limit: 1_000, remaining: 12 }])
})

test.each([
  ['a broken page', { status: 502, body: '<html>' }],
  ['text with status 200', { body: 'this node is lite' }],
  ['a page with status 200', { body: '<!doctype html><title>oops</title>' }],
  ['a truncated reply', { body: '{"jsonrpc":"2.0","id":1,"res' }],
  ['an error message', { body: '{"Error":"class java.lang.NullPointerException"}' }],
  [
    'an error envelope',
    { body: '{"jsonrpc":"2.0","id":"$id","error":{"code":-32005,"message":"too many"}}' },
  ],
  ['neither result nor error', { body: '{"jsonrpc":"2.0","id":"$id"}' }],
  ['the reply to another request', { body: '{"jsonrpc":"2.0","id":99999,"result":null}' }],
  ['an empty object', { body: '{}' }],
])('%s is an outage, never "not found"', async (_what, answer) => {
  const reader = createEvmClient({ url })
  answers = [answer]
  await expect(reader.transaction(HASH)).rejects.toBeInstanceOf(NodeUnavailable)
  answers = [answer]
  await expect(createEvmClient({ url }).block(5n)).rejects.toBeInstanceOf(NodeUnavailable)
})

test('a late or missing reply counts as an outage, whose message states the cause and nothing but the host', async () => {
  const slow = createEvmClient({ url: `${url}/v3/s3cret`, timeoutMs: 100 })
  answers = [{ body: '', hangs: true }]
  const { host } = new URL(url)
  await expect(slow.headNumber()).rejects.toEqual(
    new NodeUnavailable(`${host} could not be reached (TIMEOUT)`),
  )
  const nobody = createEvmClient({ url: 'http://127.0.0.1:2/v3/s3cret' })
  await expect(nobody.headNumber()).rejects.toEqual(
    new NodeUnavailable('127.0.0.1:2 could not be reached (ECONNREFUSED)'),
  )
})

test('null is a valid reply: the node does not know it', async () => {
  const reader = createEvmClient({ url })
  answers = [rpcResult(null), rpcResult(null), rpcResult(null)]
  expect(await reader.transaction(HASH)).toBeNull()
  expect(await reader.block(5n)).toBeNull()
  expect(await reader.receipt(HASH)).toEqual({ kind: 'unknown' })
})

test('a failed Tron transaction has no logs, whatever the reply contains', async () => {
  const reader = createTronClient({ http: { url }, jsonRpc: { url } })
  const log = { address: '11'.repeat(20), topics: ['22'.repeat(32)], data: '33' }
  const info = { id: HASH.slice(2), blockNumber: 5, blockTimeStamp: 1_700_000_000_000, log: [log] }
  const answerOf = (parts: object) => ({ body: JSON.stringify({ ...info, ...parts }) })
  answers = [
    answerOf({ result: 'FAILED', receipt: { result: 'OUT_OF_TIME' } }),
    answerOf({ receipt: { result: 'OUT_OF_ENERGY' } }),
    answerOf({ result: 'FAILED', receipt: { result: 'SUCCESS' } }),
    answerOf({ receipt: {} }),
    answerOf({ fee: 7, receipt: { result: 'SUCCESS' } }),
  ]
  for (const failure of ['OUT_OF_TIME', 'OUT_OF_ENERGY', 'FAILED', 'FAILED']) {
    expect(await reader.receipt(HASH)).toMatchObject({ failure, logs: [], blockNumber: 5n })
  }
  expect(await reader.receipt(HASH)).toEqual({
    ...{ kind: 'final', txHash: HASH, blockNumber: 5n, blockTime: new Date(1_700_000_000_000) },
    ...{ failure: null, fee: 7n },
    logs: [{ address: `0x${'11'.repeat(20)}`, topics: [`0x${'22'.repeat(32)}`], data: '0x33' }],
  })
  answers = [{ body: '{}' }, { body: JSON.stringify(info) }, { body: '{}' }, { body: '{}' }]
  expect(await reader.receipt(HASH)).toEqual({ kind: 'mined' })
  expect(await reader.receipt(HASH)).toEqual({ kind: 'unknown' })
})

test('a node gets its own headers, and no error message repeats them or the path of its address', async () => {
  const key = 'abcdef0123456789'
  const client = createNodeClient({ url: `${url}/v2/pathkey0123`, headers: { 'X-Token': key } })
  answers = [{ status: 401, body: `{"message":"token ${key} of /v2/pathkey0123 is not valid"}` }]
  const error = await client.post('', {}, String).catch((caught: unknown) => caught)
  expect(lastHeaders['x-token']).toBe(key)
  expect(error).toBeInstanceOf(NodeRefused)
  const { message } = error as NodeRefused
  expect(message).toBe(
    `${new URL(url).host} refuses us with status 401: token … of /v2/… is not valid`,
  )
})

test('readers and senders of one provider share its pause', async () => {
  const budget = createRequestBudget({ host: 'a', perSecond: 100 })
  const [one, other] = [createNodeClient({ url, budget }), createNodeClient({ url, budget })]
  answers = [{ status: 429, body: '' }]
  await expect(one.post('', {}, String)).rejects.toBeInstanceOf(NodeThrottled)
  await expect(other.post('', {}, String)).rejects.toBeInstanceOf(NodeThrottled)
  expect(requests).toBe(1)
})
