import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createDeadManLoop } from './dead-man.ts'

let pings = 0
let status = 200
const server = createServer((_request, response) => {
  pings += 1
  response.writeHead(status).end()
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)))
afterAll(() => void server.close())
beforeEach(() => {
  pings = 0
  status = 200
})

function watched(progress: bigint[]) {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const loop = createDeadManLoop({
    ...{ name: 'dead man', url },
    readProgress: async () => [...progress],
  })
  return async (found: bigint[]) => {
    progress.splice(0, progress.length, ...found)
    await loop.step()
    return pings
  }
}

test('the dead man’s switch is pinged only for progress of all chains: not at the start, without progress, or for one chain of two', async () => {
  const check = watched([])
  expect(await check([])).toBe(0)
  expect(await check([5n, 7n])).toBe(0)
  expect(await check([5n, 7n])).toBe(0)
  expect(await check([6n, 7n])).toBe(0)
  expect(await check([6n, 8n])).toBe(1)
  expect(await check([6n, 8n])).toBe(1)
})

test('the loop fails while the address refuses, and reports progress once it accepts', async () => {
  const check = watched([])
  await check([1n])
  status = 500
  await expect(check([2n])).rejects.toThrow("The dead man's switch answered 500.")
  status = 200
  expect(await check([2n])).toBe(2)
})
