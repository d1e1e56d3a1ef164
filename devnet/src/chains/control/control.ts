import type { Reorganisation } from '../core/block-maker.ts'
import type { Deployment } from '../core/checkpoint.ts'
import type { Engine } from '../core/engine.ts'
import { CHAIN_IDS, type ChainName, type EvmBlock, FINALITY_BLOCKS } from '../core/evm-node.ts'
import { createMutex } from '../core/mutex.ts'
import { toQuantity } from '../core/rpc.ts'
import type { Faucet } from '../setup/faucet.ts'
import { DEMO_ACCOUNTS, type DemoAccount, type ServiceKeys } from '../setup/keys.ts'
import type { TronBehaviour } from '../tron/behaviour.ts'

export type BlockReference = { number: number; timestampMs: number }
export type ChainHeads = { head: BlockReference; final: BlockReference }

/** The heads of both chains. `nowMs` is the timestamp that the next block would get. */
export type Heads = { nowMs: number; offsetMs: number; tron: ChainHeads; bsc: ChainHeads }

export type ChainsInfo = Heads & {
  addresses: {
    tron: Deployment['tron'] & { chainId: number; operator: string; owner: string }
    bsc: Deployment['bsc'] & {
      chainId: number
      receiverAddress: `0x${string}`
      payoutAddress: `0x${string}`
    }
  }
  accounts: readonly DemoAccount[]
}

/**
 * Operations reserved for the owner of the development chains. Each call resolves when it is done.
 * @throws RangeError for invalid arguments
 */
export type ChainControl = {
  info(): Promise<ChainsInfo>
  /**
   * Advances both chains' time to `timestampMs`, unless it is already later. Afterwards the head and the final block of
   * each chain have at least that time, and all earlier transactions are final.
   */
  advanceTo(target: { timestampMs: number }): Promise<Heads>
  /** Makes blocks until all existing transactions are final on both chains. */
  finalize(): Promise<Heads>
  faucet: Faucet['give']
  /** Mints `amount` DCT to the demo admin, who then funds the plan on chain with it. */
  fundPlan: Faucet['fundPlan']
  /** Stores a checkpoint. Nothing is lost without one, but the next start is slower. */
  save(): Promise<Heads>
  mine(request: { chain: ChainName; blocks: number }): Promise<Heads>
  /** Stops making blocks on both chains: transactions are accepted but wait. */
  pauseMining(): Promise<Heads>
  resumeMining(): Promise<Heads>
  /** Drops all waiting transactions. */
  dropTransactions(): Promise<Heads>
  /**
   * Replaces the newest `depth` blocks, or those `after` a block; their transactions are dropped, or included again.
   */
  reorg(change: Reorganisation & { chain: ChainName; keepTransactions?: boolean }): Promise<Heads>
  /** Makes the Tron side behave as real nodes sometimes do; absent fields stay unchanged. */
  setTronBehaviour(change: Partial<TronBehaviour>): Promise<TronBehaviour>
}

export function createControl(options: {
  engine: Engine
  faucet: Faucet
  keys: ServiceKeys
  deployment: Deployment
}): ChainControl {
  const { engine, faucet, keys, deployment } = options
  const heads = () => readHeads(engine)
  const headsAfter = async (change: Promise<void>) => {
    await change
    return heads()
  }
  // Time must not jump past a transaction between its signing and its block.
  const { run: exclusively } = createMutex()
  return {
    info: async () => ({
      ...(await heads()),
      addresses: {
        tron: {
          ...deployment.tron,
          chainId: CHAIN_IDS.tron,
          operator: keys.operator.tronAddress,
          owner: keys.owner.tronAddress,
        },
        bsc: {
          ...deployment.bsc,
          chainId: CHAIN_IDS.bsc,
          receiverAddress: keys.feeReceiver.bscAddress,
          payoutAddress: deployment.bsc.payoutVault,
        },
      },
      accounts: DEMO_ACCOUNTS,
    }),
    advanceTo: ({ timestampMs }) =>
      exclusively(async () => {
        requireCount('timestampMs', timestampMs)
        await engine.advanceTo(timestampMs)
        await engine.saveIfDue()
        return heads()
      }),
    async finalize() {
      await engine.mineBoth(FINALITY_BLOCKS)
      await engine.saveIfDue()
      return heads()
    },
    faucet: (request) => exclusively(() => faucet.give(request)),
    fundPlan: (plan) => exclusively(() => faucet.fundPlan(plan)),
    save: () => headsAfter(engine.save()),
    async mine({ chain, blocks }) {
      requireChain(chain)
      requireCount('blocks', blocks)
      return headsAfter(engine.mine(chain, blocks))
    },
    pauseMining: () => headsAfter(engine.pause()),
    resumeMining: () => headsAfter(engine.resume()),
    dropTransactions: () => headsAfter(engine.dropTransactions()),
    async reorg({ chain, keepTransactions = false, ...change }) {
      requireChain(chain)
      if ('after' in change) requireCount('after', change.after)
      else requireCount('depth', change.depth)
      await engine.reorganise(chain, { ...change, keepTransactions })
      // The journal cannot be replayed on top of blocks that were rolled back.
      await engine.save()
      return heads()
    },
    async setTronBehaviour(change) {
      requireBehaviour(change)
      await engine.setTronBehaviour(change)
      return engine.tronBehaviour()
    },
  }
}

function requireBehaviour(change: Partial<TronBehaviour>): void {
  const { solidityLag = 0, energyFactor = 0 } = change
  const { transactionsTimeOut = false, callsTimeOut = false } = change
  for (const [name, value] of Object.entries({ solidityLag, energyFactor })) {
    if (Number.isSafeInteger(value) && value >= 0) continue
    throw new RangeError(`${name} must be a whole number, at least 0`)
  }
  for (const [name, value] of Object.entries({ transactionsTimeOut, callsTimeOut })) {
    if (typeof value !== 'boolean') throw new RangeError(`${name} must be true or false`)
  }
}

function requireChain(chain: unknown): void {
  if (chain !== 'tron' && chain !== 'bsc') throw new RangeError(`unknown chain ${chain}`)
}

function requireCount(name: string, value: unknown): void {
  const isCount = typeof value === 'number' && Number.isSafeInteger(value) && value > 0
  if (!isCount) throw new RangeError(`${name} must be a whole number above 0`)
}

async function readHeads(engine: Engine): Promise<Heads> {
  const { clock } = engine
  const [tron, bsc] = await Promise.all([readChain(engine, 'tron'), readChain(engine, 'bsc')])
  return { nowMs: clock.nowMs(), offsetMs: clock.offsetMs(), tron, bsc }
}

async function readChain({ nodes }: Engine, chain: ChainName): Promise<ChainHeads> {
  const { number, timestamp } = nodes[chain].head()
  const finalNumber = nodes[chain].finalNumber()
  const tag = toQuantity(finalNumber)
  const block = await nodes[chain].rpc<EvmBlock>('eth_getBlockByNumber', tag, false)
  return {
    head: { number, timestampMs: timestamp * 1000 },
    final: { number: finalNumber, timestampMs: Number(block.timestamp) * 1000 },
  }
}
