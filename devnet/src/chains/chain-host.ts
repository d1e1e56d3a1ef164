import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serveBsc } from './bsc/bsc-gateway.ts'
import { type ChainControl, createControl } from './control/control.ts'
import { serveControl } from './control/control-server.ts'
import { type Deployment, hasCheckpoint } from './core/checkpoint.ts'
import { createEngine, type Engine } from './core/engine.ts'
import { type ChainName, type EvmNode, startEvmNode } from './core/evm-node.ts'
import { startTicker } from './core/ticker.ts'
import { deployContracts, fundAccounts } from './setup/deploy.ts'
import { createFaucet, type Faucet, type Setup } from './setup/faucet.ts'
import { loadServiceKeys, type ServiceKeys } from './setup/keys.ts'
import { serveTron } from './tron/tron-gateway.ts'

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
 * @param options.dir the chains' own folder. If it has data, the chains continue from there
 * @param options.realMs real time, where this process's clock is not to be trusted
 */
export async function startChainHost({
  dir,
  realMs,
}: {
  dir: string
  realMs?: (() => number) | undefined
}): Promise<ChainHost> {
  mkdirSync(dir, { recursive: true, mode: 0o700 })
  const isRestored = hasCheckpoint(dir)
  const [tron, bsc] = await Promise.all([
    startEvmNode({ chain: 'tron', dir: join(dir, 'tron'), isRestored }),
    startEvmNode({ chain: 'bsc', dir: join(dir, 'bsc'), isRestored }),
  ])
  const nodes = { tron, bsc }
  try {
    const engine = await createEngine({ dir, nodes, realMs })
    return await serve(dir, engine)
  } catch (error) {
    await Promise.all([tron.stop(), bsc.stop()])
    throw error
  }
}

async function serve(dir: string, engine: Engine): Promise<ChainHost> {
  const { nodes } = engine
  const keys = loadServiceKeys(dir)
  const tronServer = await serveTron(engine)
  const bscServer = await serveBsc(engine)
  const urls = { tron: tronServer.url, bsc: bscServer.url }
  const { deployment, faucet } = await ensureDeployed({ engine, urls, keys })
  const control = createControl({ engine, faucet, keys, deployment })
  const controlServer = await serveControl(control)
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
      await Promise.all([tronServer, bscServer, controlServer].map((server) => server.stop()))
      // Without this checkpoint, the next start replays the journal, which takes longer.
      await engine.save().catch(createOnceReporter())
      engine.close()
      await Promise.all([nodes.tron.stop(), nodes.bsc.stop()])
    },
  }
}

async function ensureDeployed(setup: Setup): Promise<{ deployment: Deployment; faucet: Faucet }> {
  const { engine, keys } = setup
  const existing = engine.deployment()
  const deployment = existing ?? (await deployContracts(setup))
  const faucet = createFaucet({ ...setup, deployment })
  if (!existing) {
    await fundAccounts(faucet, keys, deployment)
    engine.setDeployment(deployment)
    await engine.save()
  }
  return { deployment, faucet }
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
