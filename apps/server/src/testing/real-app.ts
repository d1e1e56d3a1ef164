import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TERMS_VERSION } from '@dct/rules/constants'
import type { Hex } from 'viem'
import { readConfig } from '../main/config.ts'
import { type Context, createContext } from '../main/context.ts'
import { startDevnet } from '../main/http/devnet.ts'
import { createApi } from '../main/http/serve.ts'
import { apiLoops, runnerOf, watcherLoops, workerLoops } from '../main/loops/loops.ts'
import { senderLoops } from '../main/loops/sender-loops.ts'
import { prepareInstallation } from '../main/prepare.ts'
import { recordConsent } from '../main/wiring/terms-wiring.ts'
import { realClock } from '../platform/clock.ts'
import { inTransaction } from '../platform/database/db.ts'
import type { App } from '../platform/http/http.ts'
import type { IdlePauses, Loop, LoopRunner } from '../platform/loops/loop.ts'
import { createTestDatabase, type TestDatabase } from './database.ts'
import { stakeDeps } from './stakes.ts'
import { givenUser, type TestUser } from './users.ts'

/** What the server needs to know about the development chains; devnet's `ChainHost` provides it. */
export type RealChains = {
  tronUrl: string
  tronJsonRpcUrl: string
  bscUrl: string
  controlUrl: string
  deployment: {
    tron: { token: string; staking: string; rewardPool: string }
    bsc: { usdt: Hex; payoutVault: Hex }
  }
  serviceKeys: {
    operator: { tronPrivateKey: string }
    payout: { bscPrivateKey: Hex; bscAddress: Hex }
    feeReceiver: { bscAddress: Hex }
  }
}

export type RealApp = {
  app: App
  context: Context
  /** The background work of all processes. It runs only when a test steps it, or settles. */
  loops: readonly Loop[]
  /** Runs them in the background once it is started. */
  runner: LoopRunner
  givenUser(facts?: Parameters<typeof givenUser>[1]): Promise<TestUser>
  /** The dependencies of the helpers that book stakes. */
  stakeDeps: ReturnType<typeof stakeDeps>
  stop(): Promise<void>
}

/** For tests in which the loops run in the background. */
type Changes = {
  pauses?: IdlePauses
  change?(context: Context): Partial<Context>
  changeLoop?(loop: Loop): Loop
}

/** The routes of a devnet as wired in main/, for `app.inject`. Its loops run only when settling. */
export async function startRealApp(
  chains: RealChains,
  settings: Readonly<Record<string, string>> = {},
  given?: TestDatabase,
  changes: Changes = {},
): Promise<RealApp> {
  const database = given ?? (await createTestDatabase())
  const operatorKey = writeKey('operator', chains.serviceKeys.operator.tronPrivateKey)
  const payoutKey = writeKey('payout', chains.serviceKeys.payout.bscPrivateKey)
  const { tron, bsc } = chains.deployment
  const config = readConfig({
    ...database.settings,
    LOG_LEVEL: 'silent',
    CONTROL_URL: chains.controlUrl,
    TRON_FULL_HOST: chains.tronUrl,
    TRON_TOKEN: tron.token,
    TRON_STAKING: tron.staking,
    TRON_REWARD_POOL: tron.rewardPool,
    TRON_START_BLOCK: '0',
    TRON_OPERATOR_KEY_FILE: operatorKey,
    BSC_RPC: chains.bscUrl,
    BSC_USDT: bsc.usdt,
    BSC_RECEIVER: chains.serviceKeys.feeReceiver.bscAddress,
    BSC_PAYOUT_VAULT: bsc.payoutVault,
    BSC_START_BLOCK: '0',
    BSC_PAYOUT_KEY_FILE: payoutKey,
    ...settings,
  })
  for (const file of [operatorKey, payoutKey]) rmSync(file)
  const created = await createContext(config)
  const context = { ...created, ...changes.change?.(created) }
  const loops = [
    ...apiLoops(context),
    ...watcherLoops(context),
    ...workerLoops(context),
    ...(await senderLoops(context)),
  ].map((loop) => changes.changeLoop?.(loop) ?? loop)
  const runner = runnerOf(context, loops, changes.pauses)
  const app = await createApi(context, {
    loopStatus: () => runner.status(),
    countCall: () => undefined,
    wakeLoops: () => undefined,
  })
  await prepareInstallation(context)
  await startDevnet(context, app, runner)
  await app.ready()
  const { db, clock } = context
  return {
    ...{ app, context, loops, runner },
    async givenUser(facts) {
      const user = await givenUser({ db, clock, realClock }, facts)
      await givenConsent(context, user)
      return user
    },
    stakeDeps: stakeDeps({ db, clock }),
    async stop() {
      await app.close()
      await context.close()
      await database.drop()
    },
  }
}

/** The consent to the terms of the software, which a registration would have recorded. */
async function givenConsent(context: Context, user: { id: bigint }): Promise<void> {
  const consent = { userId: user.id, version: TERMS_VERSION, language: 'id' } as const
  await inTransaction(context.db, (tx) =>
    recordConsent(context)(tx, { ...consent, at: context.clock.now() }),
  )
}

function writeKey(name: string, hex: string): string {
  const file = join(tmpdir(), `dct-${name}-${process.pid}-${process.hrtime.bigint()}.key`)
  writeFileSync(file, hex, { mode: 0o600 })
  return file
}
