import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serveBsc } from './bsc/bsc-gateway.ts'
import { type ChainControl, createControl } from './control/control.ts'
import { serveControl } from './control/control-server.ts'
import { type Deployment, hasCheckpoint } from './core/checkpoint.ts'
import { createEngine, type Engine } from './core/engine.ts'
import { type ChainName, type EvmNode, startEvmNode } from './core/evm-node.ts'
import type { HttpServer } from './core/http.ts'
import { startTicker } from './core/ticker.ts'
import { deployContracts, fundAccounts } from './setup/deploy.ts'
import { createFaucet, type Faucet } from './setup/faucet.ts'
import { loadServiceKeys, type ServiceKeys } from './setup/keys.ts'
import { serveTron } from './tron/tron-gateway.ts'

export type ChainHostOptions = {
  /** The chains' own folder. If it has data, the chains continue from there. */
  dir: string
  /** A free port is chosen for each one that is missing. */
  ports?: { tron?: number; bsc?: number; control?: number }
  /** How many blocks `control.reorg` can replace; each one costs memory. The default is 64. */
  keptStates?: number
}

const KEPT_STATES = 64

export type ChainHost = {
  /** TronWeb's `fullHost`. */
  tronUrl: string
  tronJsonRpcUrl: string
  bscUrl: string
  /** For `createControlClient`. Keep it secret: it gives full control of the chains. */
  controlUrl: string
  control: ChainControl
  serviceKeys: ServiceKeys
  deployment: Deployment
  /** The process ids of the chains. */
  pids: Record<ChainName, number>
  /** Resolves when a chain's process has exited for any reason, with its last lines of output. */
  exited: Promise<{ chain: ChainName; lastLines: string }>
  stop(): Promise<void>
}

/**
 * Starts both development chains with their gateways and contracts. A block is made for every transaction and every
 * second. The chains' time is real time plus the offset set by `control.advanceTo`.
 */
export async function startChainHost(options: ChainHostOptions): Promise<ChainHost> {
  const { dir, ports = {}, keptStates = KEPT_STATES } = options
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const isRestored = hasCheckpoint(dir)
  const [tron, bsc] = await Promise.all([
    startEvmNode({ chain: 'tron', dir: join(dir, 'tron'), keptStates, isRestored }),
    startEvmNode({ chain: 'bsc', dir: join(dir, 'bsc'), keptStates, isRestored }),
  ])
  const nodes = { tron, bsc }
  try {
    const engine = await createEngine({ dir, nodes })
    return await serve({ dir, ports, engine })
  } catch (error) {
    await Promise.all([tron.stop(), bsc.stop()])
    throw error
  }
}

async function serve(options: {
  dir: string
  ports: NonNullable<ChainHostOptions['ports']>
  engine: Engine
}): Promise<ChainHost> {
  const { dir, ports, engine } = options
  const { nodes } = engine
  const keys = loadServiceKeys(dir)
  const tronServer = await serveTron(engine, ports.tron)
  const bscServer = await serveBsc(engine, ports.bsc)
  const urls = { tron: tronServer.url, bsc: bscServer.url }
  const { deployment, faucet } = await ensureDeployed({ engine, urls, keys })
  const control = createControl({ engine, faucet, keys, deployment })
  const controlServer = await serveControl(control, ports.control)
  const ticker = startTicker({
    nowMs: engine.clock.nowMs,
    task: async () => {
      await engine.tick()
      await engine.saveIfDue()
    },
    onError: createOnceReporter(),
  })
  return {
    tronUrl: urls.tron,
    tronJsonRpcUrl: `${urls.tron}/jsonrpc`,
    bscUrl: urls.bsc,
    controlUrl: controlServer.url,
    control,
    serviceKeys: keys,
    deployment,
    pids: { tron: nodes.tron.pid, bsc: nodes.bsc.pid },
    exited: Promise.race([exitOf(nodes.tron), exitOf(nodes.bsc)]),
    async stop() {
      await ticker.stop()
      await stopAll([tronServer, bscServer, controlServer])
      // Without this checkpoint, the next start replays the journal, which takes longer.
      await engine.save().catch(createOnceReporter())
      engine.close()
      await Promise.all([nodes.tron.stop(), nodes.bsc.stop()])
    },
  }
}

async function ensureDeployed(options: {
  engine: Engine
  urls: { tron: string; bsc: string }
  keys: ServiceKeys
}): Promise<{ deployment: Deployment; faucet: Faucet }> {
  const { engine, urls, keys } = options
  const existing = engine.deployment()
  const deployment = existing ?? (await deployContracts({ engine, urls, keys }))
  const faucet = createFaucet({ engine, urls, keys, deployment })
  if (!existing) {
    await fundAccounts(faucet, keys)
    engine.setDeployment(deployment)
    await engine.save()
  }
  return { deployment, faucet }
}

async function stopAll(servers: readonly HttpServer[]): Promise<void> {
  await Promise.all(servers.map((server) => server.stop()))
}

async function exitOf(node: EvmNode): Promise<{ chain: ChainName; lastLines: string }> {
  const { lastLines } = await node.exited
  return { chain: node.chain, lastLines }
}

/** Reports only the first error, so that one that repeats every second is shown once. */
function createOnceReporter(): (error: unknown) => void {
  let hasReported = false
  return (error) => {
    if (hasReported) return
    hasReported = true
    console.error(`The development chains failed: ${error}`)
  }
}
