import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { untilGone } from '@dct/local-services/testing/processes'
import { TronWeb } from 'tronweb'
import {
  createPublicClient,
  createWalletClient,
  type Hex,
  http,
  type TransactionReceipt,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type ChainHost, startChainHost } from './chain-host.ts'
import { createControlClient } from './control/control-client.ts'
import { ayu, budi, post, readInfo } from './testing/tron-client.ts'

const DAY_MS = 86_400_000
/** How far the chains may lag on a busy machine. */
const SLACK_MS = 30_000

let dir: string
let stops: (() => Promise<void>)[] = []

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'dct-chains-'))
})
afterEach(async () => {
  for (const stop of stops) await stop()
  stops = []
  rmSync(dir, { recursive: true, force: true })
})

async function start(): Promise<ChainHost> {
  const host = await startChainHost({ dir })
  stops.push(host.stop)
  return host
}

async function stop(host: ChainHost): Promise<void> {
  stops = stops.filter((other) => other !== host.stop)
  await host.stop()
}

type Urls = { tronUrl: string; bscUrl: string; controlUrl: string }
type HostProcess = Urls & { kill(): Promise<void>; pids: { tron: number; bsc: number } }

/** Starts the chains in a separate process, so that a test can kill it together with everything in its memory. */
async function startInProcess(): Promise<HostProcess> {
  const script = join(import.meta.dirname, 'testing/host-process.ts')
  const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async () => {
    child.kill('SIGKILL')
    await exited
  }
  stops.push(kill)
  const line = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve)
    void exited.then(() => reject(new Error('the chains did not start')))
  })
  return { ...(JSON.parse(line) as Urls & Pick<HostProcess, 'pids'>), kill }
}

const readerOf = ({ bscUrl }: Urls) => createPublicClient({ transport: http(bscUrl) })

async function sendOnTron({ tronUrl }: Urls, amount: number): Promise<string> {
  const client = new TronWeb({ fullHost: tronUrl, privateKey: ayu.tronPrivateKey })
  const reply = await client.trx.sendTransaction(budi.tronAddress, amount)
  expect(reply.result).toBe(true)
  return reply.transaction.txID
}

async function sendOnBsc(urls: Urls, nonce: number): Promise<TransactionReceipt> {
  const account = privateKeyToAccount(ayu.bscPrivateKey)
  const wallet = createWalletClient({ account, transport: http(urls.bscUrl) })
  const hash = await wallet.sendTransaction({
    chain: null,
    to: budi.bscAddress,
    value: 1n,
    gas: 21_000n,
    gasPrice: 100_000_000n,
    nonce,
  })
  return readerOf(urls).getTransactionReceipt({ hash })
}

async function headOf(urls: Urls): Promise<{ blockID: string; timestamp: number }> {
  const block = await post(urls, 'wallet/getnowblock')
  const { timestamp } = (block.block_header as { raw_data: { timestamp: number } }).raw_data
  return { blockID: `${block.blockID}`, timestamp }
}

test('after an orderly stop all state is restored, and time has advanced', async () => {
  const first = await start()
  const txId = await sendOnTron(first, 7)
  const receipt = await sendOnBsc(first, 0)
  const { nowMs } = await first.control.advanceTo({
    timestampMs: (await first.control.info()).nowMs + 30 * DAY_MS,
  })
  const info = await readInfo(first, txId)
  const head = await headOf(first)
  await stop(first)

  const second = await start()
  expect(second.deployment).toEqual(first.deployment)
  expect(second.serviceKeys).toEqual(first.serviceKeys)
  expect(await readInfo(second, txId)).toEqual(info)
  const again = await readerOf(second).getTransactionReceipt({ hash: receipt.transactionHash })
  expect(again).toEqual(receipt)
  const old = await post(second, 'wallet/getblockbyid', { value: head.blockID })
  expect(old.blockID).toBe(head.blockID)
  const heads = await second.control.info()
  expect(heads.nowMs).toBeGreaterThanOrEqual(nowMs)
  const realMs = heads.nowMs - heads.offsetMs
  expect(Math.abs(realMs - Date.now())).toBeLessThan(SLACK_MS)
  // The head follows the clock, which kept running while the chains were stopped.
  expect(heads.nowMs - heads.tron.head.timestampMs).toBeLessThan(SLACK_MS)
  expect(heads.nowMs - heads.bsc.head.timestampMs).toBeLessThan(SLACK_MS)
  await sendOnTron(second, 8)
})

test('killing all processes loses nothing that was visible', async () => {
  const first = await startInProcess()
  const control = createControlClient(first.controlUrl)
  await control.advanceTo({ timestampMs: (await control.info()).nowMs + 3 * DAY_MS })
  const txIds: string[] = []
  const receipts: TransactionReceipt[] = []
  await Promise.all([
    (async () => {
      for (let amount = 1; amount <= 15; amount += 1) txIds.push(await sendOnTron(first, amount))
    })(),
    (async () => {
      for (let nonce = 0; nonce < 15; nonce += 1) receipts.push(await sendOnBsc(first, nonce))
    })(),
  ])
  // A refused operation must not break the next start.
  await expect(sendOnBsc(first, 0)).rejects.toThrow(/nonce/)
  const infos = await Promise.all(txIds.map((txId) => readInfo(first, txId)))
  const head = await headOf(first)
  const bscHead = await readerOf(first).getBlock()
  const balance = await readerOf(first).getBalance({ address: ayu.bscAddress })
  await first.kill()
  await untilGone(Object.values(first.pids))

  const second = await start()
  expect(await Promise.all(txIds.map((txId) => readInfo(second, txId)))).toEqual(infos)
  const reader = readerOf(second)
  for (const receipt of receipts) {
    const hash = receipt.transactionHash
    expect(await reader.getTransactionReceipt({ hash })).toEqual(receipt)
  }
  const { blockID: value } = head
  expect(await post(second, 'wallet/getblockbyid', { value })).toHaveProperty('blockID', value)
  expect((await reader.getBlock({ blockNumber: bscHead.number })).hash).toBe(bscHead.hash)
  expect(await reader.getBalance({ address: ayu.bscAddress })).toBe(balance)
  expect((await headOf(second)).timestamp).toBeGreaterThanOrEqual(head.timestamp)
})

test('killing only the chains’ processes loses nothing either', async () => {
  const first = await start()
  const txId = await sendOnTron(first, 9)
  const receipt = await sendOnBsc(first, 0)
  const info = await readInfo(first, txId)
  process.kill(first.pids.tron, 'SIGKILL')
  process.kill(first.pids.bsc, 'SIGKILL')
  expect(['tron', 'bsc']).toContain((await first.exited).chain)
  await stop(first)

  const second = await start()
  expect(await readInfo(second, txId)).toEqual(info)
  const { transactionHash: hash } = receipt
  expect(await readerOf(second).getTransactionReceipt({ hash })).toEqual(receipt)
})

test('a journal with a truncated last line is replayed up to that line', async () => {
  const first = await startInProcess()
  const txId = await sendOnTron(first, 10)
  const info = await readInfo(first, txId)
  await first.kill()
  const journal = join(dir, newestJournal())
  writeFileSync(journal, `${readFileSync(journal, 'utf8')}{"op":"mine","cha`)

  const second = await start()
  expect(await readInfo(second, txId)).toEqual(info)
  await sendOnTron(second, 11)
})

function newestJournal(): string {
  const ids = Array.from({ length: 50 }, (_, id) => id).reverse()
  const id = ids.find((candidate) => existsSync(join(dir, `journal-${candidate}.ndjson`)))
  return `journal-${id}.ndjson`
}

test('only the owner of the folder can read the service’s keys, and no demo account is among them', async () => {
  const host = await start()
  const { serviceKeys, control } = host
  expect(statSync(join(dir, 'service-keys.json')).mode & 0o777).toBe(0o600)
  const { accounts } = await control.info()
  const demoKeys = accounts.map(({ bscPrivateKey }) => bscPrivateKey)
  const { owner, operator, payout } = serviceKeys
  const ours: Hex[] = [owner, operator, payout].map(({ bscPrivateKey }) => bscPrivateKey)
  expect(new Set([...demoKeys, ...ours]).size).toBe(demoKeys.length + 3)
})
