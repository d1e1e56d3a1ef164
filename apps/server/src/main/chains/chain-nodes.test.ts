import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { Config } from '../config.ts'
import { connectNodes } from './chain-nodes.ts'

type Seen = { path: string | undefined; token: string | undefined; key: string | undefined }

/** A node that throttles every request and records it. */
async function throttlingNode() {
  const seen: Seen[] = []
  const server = createServer((request, response) => {
    const { 'x-token': token, 'tron-pro-api-key': key } = request.headers
    seen.push({ path: request.url, token: token?.toString(), key: key?.toString() })
    response.writeHead(429).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, host, url: `http://${host}` }
}

function configOf(parts: {
  tron: readonly string[]
  bsc: string
  headers: Config['nodes']['headers']
}) {
  return {
    nodes: { headers: parts.headers, requestsPerSecond: 100 },
    tron: {
      nodes: parts.tron.map((http) => ({ http, jsonRpc: `${http}/jsonrpc` })),
      apiKey: 'grid-key',
    },
    bsc: { rpcs: [parts.bsc] },
  } as unknown as Config
}

test('each node gets only its own headers, and TronGrid’s key is sent only to TronGrid', async () => {
  const [first, second, bsc] = [
    await throttlingNode(),
    await throttlingNode(),
    await throttlingNode(),
  ]
  const headers = [{ host: second.host, name: 'X-Token', value: 'second-token' }]
  const { tron, bsc: bscNodes } = connectNodes(
    configOf({ tron: [first.url, second.url], bsc: bsc.url, headers }),
  )
  await expect(tron.all((reader) => reader.headNumber())).rejects.toThrow()
  await expect(bscNodes.all((reader) => reader.headNumber())).rejects.toThrow()
  const none = { token: undefined, key: undefined }
  expect(first.seen).toEqual([{ path: '/jsonrpc', ...none }])
  expect(second.seen).toEqual([{ path: '/jsonrpc', token: 'second-token', key: undefined }])
  expect(bsc.seen).toEqual([{ path: '/', ...none }])
})

test('a sender does not query a provider that has just throttled a reader', async () => {
  const [node, bsc] = [await throttlingNode(), await throttlingNode()]
  const { tron } = connectNodes(configOf({ tron: [node.url], bsc: bsc.url, headers: [] }))
  await expect(tron.all((reader) => reader.headNumber())).rejects.toThrow('slow down')
  const { host } = node
  await expect(tron.first((node) => node.anchor())).rejects.toThrow(`${host} asked us to slow down`)
  expect(node.seen).toHaveLength(1)
  expect(tron.nodes[0]?.standing.requests()).toEqual(new Map([['throttled', 1]]))
})

test('a node that fails at one of its addresses rests, although the other one answers in between', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/jsonrpc') return request.socket.destroy()
    return response.end(JSON.stringify(HEAD))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { tron } = connectNodes(configOf({ tron: [url], bsc: url, headers: [] }))
  const [node] = tron.nodes
  for (let at = 0; at < 3; at += 1) {
    await expect(tron.first((one) => one.headNumber())).rejects.toThrow()
    await tron.first((one) => one.anchor())
  }
  expect(node?.standing.isResting()).toBe(true)
})

const idOf = (number: number) => `${`${number}`.padStart(16, '0')}${'cd'.repeat(24)}`
const HEAD = {
  blockID: idOf(1),
  block_header: { raw_data: { number: 1, timestamp: 1_700_000_000_000, parentHash: idOf(0) } },
}
