import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chainFacts } from '../../modules/chain/index.ts'
import {
  createChainControl,
  createTimeTravel,
  devnetRoutes,
  mailboxRoutes,
} from '../../modules/devnet/index.ts'
import { isAnythingInFlight } from '../../modules/payouts/index.ts'
import type { App } from '../../platform/http/http.ts'
import type { LoopRunner } from '../../platform/loops/loop.ts'
import type { Context } from '../context.ts'
import { seedDevnet } from '../seed-devnet.ts'
import { StartError } from '../start-error.ts'

const WALLET_FILE = fileURLToPath(
  new URL('../../../../../devnet/wallet/dist/wallet.js', import.meta.url),
)

/**
 * Starts the parts that exist only in devnet: time travel, the faucet, the development wallet, and the first plans. The
 * calling process must run every loop itself, so that time travel can step them.
 */
export async function startDevnet(context: Context, app: App, runner: LoopRunner): Promise<void> {
  const { config, clock, movableClock, db } = context
  if (config.devnet === undefined || movableClock === undefined) return
  await refuseForgottenChains(context)
  const control = createChainControl(config.devnet.controlUrl)
  const travel = createTimeTravel({
    db,
    clock: movableClock,
    control,
    drain: () => runner.drain(),
    isAnythingInFlight: () => isAnythingInFlight(db),
  })
  await app.register(devnetRoutes, { clock, control, travel, addresses: addressesOf(context) })
  if (context.mailbox !== undefined) await app.register(mailboxRoutes, { mailbox: context.mailbox })
  app.get('/devnet/wallet.js', { schema: { hide: true }, compress: false }, (_request, reply) =>
    reply
      .type('text/javascript; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(readFileSync(WALLET_FILE)),
  )
  await travel.resume()
  await seedDevnet(context, (plan) => control.fundPlan(plan))
  await travel.settle()
}

/** Refuses chains that lack blocks which the database has read, as after a hard kill of the whole machine. */
async function refuseForgottenChains({ db, chains }: Context): Promise<void> {
  for (const facts of await chainFacts(db)) {
    const { reader } = facts.chain === 'TRON' ? chains.tron : chains.bsc
    const head = await reader.headNumber()
    if (head >= facts.blockNumber && !facts.isHalted) continue
    throw new StartError(
      `The saved ${facts.chain} chain is older than the database (block ${head}, the database has ${facts.blockNumber}).\n` +
        'Start over with: npm start -- --reset',
    )
  }
}

function addressesOf({ config }: Context) {
  const { tron, bsc, origin } = config
  return {
    tron: {
      full_host: `${origin}/tron`,
      json_rpc: `${origin}/tron/jsonrpc`,
      chain_id: tron.chainId,
      token: tron.token,
      staking: tron.staking,
      reward_pool: tron.rewardPool,
    },
    bsc: {
      rpc: `${origin}/bsc`,
      chain_id: bsc.chainId,
      usdt: bsc.usdt,
      receiver_address: bsc.receiver,
      payout_address: bsc.payoutVault,
    },
  }
}
