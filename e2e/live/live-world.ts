import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import type { ChainHost } from '@dct/devnet/chains/index'
import { startPreparedChains } from '@dct/devnet/chains/testing/test-host'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { startPostgres } from '@dct/local-services'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import pg from 'pg'
import { type ChaosHolder, onboard } from '../chaos/chaos-holder.ts'
import { read } from '../chaos/persistence.ts'
import type { JudgedWorld } from '../chaos/verdict-service.ts'
import { type DemoAccount, newAccount, OutsideHolder } from '../outside/outside-client.ts'
import type { Program } from '../support/program.ts'
import { type ApiProxy, startApiProxy } from './api-proxy.ts'
import { deployContracts } from './deploy-contracts.ts'
import { KEPT_FOR_MS } from './kept-time.ts'
import { type LiveNode, startBscNode, startTronNode } from './live-nodes.ts'
import { createLiveProcess, type LiveProcess } from './live-processes.ts'

const MOVED_TIME = pathToFileURL(join(import.meta.dirname, 'moved-time.ts')).href
const PLENTY = { dct: '1000', trx: '10000', usdt: '1000', bnb: '10' }
const PATIENCE_MS = 60_000
/** More than two processes of each kind can open. */
const CONNECTIONS = '200'
const POLL_EVERY_MS = 150
/** Less than any deadline of a transaction, more than half the pause between two polls of a chain. */
const STEP_MS = 8_000

/**
 * A live installation: two processes of each kind, which know the chains only by the addresses of nodes, started with
 * the settings that the deployment wrote and an operator completed.
 */
export type LiveWorld = {
  chains: ChainHost
  nodes: {
    tron: readonly [LiveNode, LiveNode, LiveNode]
    bsc: readonly [LiveNode, LiveNode, LiveNode]
  }
  processes: Record<'api' | 'watcher' | 'worker', readonly [LiveProcess, LiveProcess]>
  /** Starts processes, by default from this version's sources, and resolves once all of them are working. */
  start(processes: readonly LiveProcess[], program?: Program): Promise<void>
  admin: OutsideHolder
  /** The holders who have joined, in order. */
  holders: ChaosHolder[]
  infrastructure: JudgedWorld['infrastructure']
  /** Registers a new account and has it lock DCT in every plan. */
  join(referrerCode?: string): Promise<ChaosHolder>
  /** Moves the time of the processes and of both chains. */
  pass(ms: number): Promise<void>
  /** Moves time forward in steps until a condition holds. @throws Error if it takes too long */
  waitUntil(what: string, isMet: () => Promise<boolean>): Promise<void>
  /** The latest block of each chain that has been read and booked. */
  blocksRead(): Promise<Record<string, number>>
  /** Stops both chains, and resolves once everything on them is booked. */
  catchUp(): Promise<void>
  stop(): Promise<void>
}

export type LiveWorldOptions = {
  /** The version that the first processes run. */
  program?: Program
  /** How many processes of each kind are started. */
  each?: 1 | 2
  /** The class of the users; by default an ordinary client. */
  User?: typeof OutsideHolder
  /** Starts what the processes reach the database through. @returns its address as they know it */
  pool?: (databaseUrl: string) => Promise<string>
  /** By default those that a run of tests has prepared. */
  startChains?: (dir: string) => Promise<ChainHost>
}

export async function startLiveWorld(options: LiveWorldOptions = {}): Promise<LiveWorld> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-live-'))
  const [postgres, chains] = await Promise.all([
    startPostgres({ dir: join(dir, 'postgres'), settings: { max_connections: CONNECTIONS } }),
    (options.startChains ?? startPreparedChains)(join(dir, 'chains')),
  ])
  const nodes = {
    tron: [await startTronNode(chains), await startTronNode(chains), await startTronNode(chains)],
    bsc: [await startBscNode(chains), await startBscNode(chains), await startBscNode(chains)],
  } as const
  const deployed = await deployContracts(dir, { chains, nodeUrl: nodes.tron[0].url })
  const ports = [await portForLater(), await portForLater()] as const
  let turn = 0
  const apis = await startApiProxy(() => {
    turn += 1
    const working = ports.filter((_port, index) => processes.api[index]?.isWorking())
    return working[turn % working.length] ?? 0
  })
  const [url, { User = OutsideHolder, pool = direct }] = [`http://127.0.0.1:${apis.port}`, options]
  const clientFor = (account: DemoAccount) =>
    new User({ base: url, info: infoOf({ chains, deployed }), account })
  const admin = clientFor(newAccount('Admin'))
  const time = movableTime(dir, { chains, databaseUrl: await pool(postgres.url) })
  const settings = {
    ...ownEnvironment(),
    ...deployed,
    ...completed({ dir, chains, nodes }),
    ...{ ADMINS: admin.address, PUBLIC_ORIGIN: url },
    DATABASE_URL: time.databaseUrl,
    NODE_OPTIONS: [process.env.NODE_OPTIONS, `--import=${MOVED_TIME}`].join(' ').trim(),
    MOVED_TIME_FILE: time.file,
  }
  const processes = createProcesses({ settings, ports, apis })
  const all = [...processes.api, ...processes.watcher, ...processes.worker]
  const start = async (started: readonly LiveProcess[], program?: Program) => {
    // These chains produce a block every second and only have the latest final state: on a busy machine a starting
    // process could never read the same state from two nodes.
    await chains.control.pauseMining()
    await Promise.all(started.map((process) => process.start(program)))
    await chains.control.resumeMining()
  }
  const { api, watcher, worker } = processes
  const first = [api, watcher, worker].flatMap((pair) => pair.slice(0, options.each))
  await start(first, options.program).then(time.recordBackup)
  const blocksRead = async () => {
    const health = await read<{ chains: { chain: string; block: number }[] }>(admin, '/api/health')
    return Object.fromEntries(health.chains.map(({ chain, block }) => [chain, block]))
  }
  const holders: ChaosHolder[] = []
  return {
    ...{ chains, nodes, processes, start, admin, holders, blocksRead },
    ...{ pass: time.pass, waitUntil: time.waitUntil },
    infrastructure: {
      chains: { ...chains, deployment: { ...chains.deployment, tron: contractsIn(deployed) } },
      feeReceivers: [chains.serviceKeys.feeReceiver.bscAddress.toLowerCase()],
      payoutWallets: [`${deployed.BSC_PAYOUT_VAULT}`.toLowerCase()],
      serverEnv: settings,
    },
    async join(referrerCode) {
      const account = newAccount()
      const { tron_address: tronAddress, bsc_address: bscAddress } = account
      await chains.control.faucet({
        tronAddress,
        bscAddress: bscAddress as `0x${string}`,
        ...PLENTY,
      })
      const holder = await onboard(clientFor(account), referrerCode)
      holders.push(holder)
      return holder
    },
    async catchUp() {
      const { tron, bsc } = await time.stopChains()
      await time.waitUntil('everything is booked', async () => {
        const { TRON, BSC } = await blocksRead()
        return TRON === tron.final.number && BSC === bsc.final.number
      })
    },
    async stop() {
      await Promise.all(all.map((process) => process.stop()))
      apis.stop()
      await Promise.all([...nodes.tron, ...nodes.bsc].map((node) => node.stop()))
      await Promise.all([time.stop(), chains.stop(), postgres.stop()])
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

const direct = async (databaseUrl: string) => databaseUrl

function createProcesses(options: {
  settings: NodeJS.ProcessEnv
  ports: readonly [number, number]
  apis: ApiProxy
}): LiveWorld['processes'] {
  const { settings, ports, apis } = options
  const api = (port: number) =>
    createLiveProcess('api', { ...settings, PORT: `${port}` }, () => apis.answered(port))
  const pairOf = (kind: 'watcher' | 'worker') =>
    [createLiveProcess(kind, settings), createLiveProcess(kind, settings)] as const
  return {
    api: [api(ports[0]), api(ports[1])],
    watcher: pairOf('watcher'),
    worker: pairOf('worker'),
  }
}

/** The settings that an operator adds to those that the deployment wrote. */
function completed(options: {
  dir: string
  chains: ChainHost
  nodes: LiveWorld['nodes']
}): NodeJS.Dict<string> {
  const { dir, nodes } = options
  const { deployment, serviceKeys } = options.chains
  const { operator, payout, feeReceiver } = serviceKeys
  const storeKey = (name: string, hex: string) => writeKeyFile(dir, { name, hex })
  return {
    TRON_FULL_HOST: nodes.tron.map(({ url }) => url).join(','),
    TRON_OPERATOR_KEY_FILE: storeKey('operator', operator.tronPrivateKey),
    BSC_RPC: nodes.bsc.map(({ url }) => url).join(','),
    BSC_USDT: deployment.bsc.usdt,
    BSC_RECEIVER: feeReceiver.bscAddress,
    BSC_PAYOUT_KEY_FILE: storeKey('payout', payout.bscPrivateKey),
    BSC_START_BLOCK: '1',
    SUPPORT_EMAIL: 'support@example.org',
    LOG_LEVEL: 'info',
  }
}

function contractsIn(deployed: NodeJS.Dict<string>) {
  const { TRON_TOKEN = '', TRON_STAKING = '', TRON_REWARD_POOL = '' } = deployed
  return { token: TRON_TOKEN, staking: TRON_STAKING, rewardPool: TRON_REWARD_POOL }
}

/** The addresses that a user needs; users connect to the chains directly, not through the faulty nodes. */
function infoOf({ chains, deployed }: { chains: ChainHost; deployed: NodeJS.Dict<string> }) {
  const { token, staking, rewardPool: reward_pool } = contractsIn(deployed)
  const tron = {
    ...{ full_host: chains.tronUrl, json_rpc: chains.tronJsonRpcUrl, chain_id: 0 },
    ...{ token, staking, reward_pool },
  }
  const bsc = {
    ...{ rpc: chains.bscUrl, chain_id: 97, usdt: chains.deployment.bsc.usdt },
    receiver_address: chains.serviceKeys.feeReceiver.bscAddress,
    payout_address: `${deployed.BSC_PAYOUT_VAULT}` as const,
  }
  return { business_date: '', tron, bsc, accounts: [] }
}

/** Controls the time of the chains, of the database and, through a file, of the processes. */
function movableTime(
  dir: string,
  { chains: { control }, databaseUrl }: { chains: ChainHost; databaseUrl: string },
) {
  const database = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // The server may stop first.
  database.on('error', () => undefined)
  const file = join(dir, 'moved-time')
  let movedMs = 0
  const store = () => {
    // A process that reads a half-written file would go back in time.
    writeFileSync(`${file}.new`, `${movedMs}`)
    renameSync(`${file}.new`, file)
  }
  store()
  // What the operator's script does after each daily backup.
  const recordBackup = () =>
    database.query(
      `insert into backup (kind, finished_at) values ('dump', clock_timestamp() + $1 * interval '1 ms')
        on conflict (kind) do update set finished_at = excluded.finished_at`,
      [movedMs],
    )
  let areChainsStopped = false
  const pass = async (ms: number) => {
    movedMs += ms
    if (!areChainsStopped) await control.advanceTo({ timestampMs: Date.now() + movedMs })
    // The processes compare their clocks with the database's.
    await database.query('update business_clock set offset_ms = $1', [movedMs])
    await recordBackup()
    store()
    await pause(KEPT_FOR_MS + 1)
  }
  return {
    ...{ databaseUrl, file, pass, recordBackup },
    stop: () => database.end(),
    async stopChains() {
      areChainsStopped = true
      await control.pauseMining()
      return control.info()
    },
    async waitUntil(what: string, isMet: () => Promise<boolean>) {
      const deadline = performance.now() + PATIENCE_MS
      while (!(await isMet())) {
        if (performance.now() > deadline) throw new Error(`timed out waiting until ${what}`)
        await pass(STEP_MS)
        await pause(POLL_EVERY_MS)
      }
    },
  }
}
