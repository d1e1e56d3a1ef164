import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { type AnvilOptions, startAnvil } from './anvil.ts'
import { freePort } from './ports.ts'
import { inspectProcess } from './processes.ts'
import { temporaryFolder } from './testing/folders.ts'

async function start(options: AnvilOptions) {
  const anvil = await startAnvil(options)
  onTestFinished(() => anvil.stop())
  return anvil
}

async function call(url: string, method: string, params: unknown[] = []): Promise<unknown> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result } = (await response.json()) as { result: unknown }
  return result
}

test('a chain starts with its id and flags, and its process is gone after stop', async () => {
  const anvil = await start({ chainId: 97, dir: temporaryFolder(), args: ['--timestamp', '1000'] })
  expect(await call(anvil.url, 'eth_chainId')).toBe('0x61')
  expect(await call(anvil.url, 'eth_getBlockByNumber', ['0x0', false])).toMatchObject({
    timestamp: '0x3e8',
  })
  await anvil.stop()
  expect(inspectProcess(anvil.pid).state).not.toBe('alive')
})

test('a chain begins from a saved state', async () => {
  const dir = temporaryFolder()
  const first = await start({ chainId: 97, dir })
  await call(first.url, 'anvil_setBalance', [`0x${'12'.repeat(20)}`, '0x7b'])
  await call(first.url, 'anvil_mine', ['0x5'])
  const dump = await call(first.url, 'anvil_dumpState')
  const stateFile = join(dir, 'state.json')
  writeFileSync(stateFile, gunzipSync(Buffer.from(`${dump}`.slice(2), 'hex')))
  await first.stop()

  const second = await start({ chainId: 97, dir, loadState: stateFile })
  expect(await call(second.url, 'eth_blockNumber')).toBe('0x5')
  expect(await call(second.url, 'eth_getBalance', [`0x${'12'.repeat(20)}`, 'latest'])).toBe('0x7b')
})

test('the error for a port in use names it', async () => {
  const port = await freePort()
  const other = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await expect(startAnvil({ chainId: 97, dir: temporaryFolder(), port })).rejects.toThrow(
    `Port ${port} on 127.0.0.1 is already in use by another program.`,
  )
})

test('a failed start shows anvil’s output', async () => {
  const dir = temporaryFolder()
  await expect(startAnvil({ chainId: 97, dir, args: ['--no-such-flag'] })).rejects.toThrow(
    "unexpected argument '--no-such-flag'",
  )
})
