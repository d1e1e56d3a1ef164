/**
 * How the service is put together: the only file of the simulation that knows. Everything else drives it through its
 * API, its loops, the chains, the clock and the database.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { type Config, readConfig } from '../../apps/server/src/main/config.ts'
import { type Context, createContext } from '../../apps/server/src/main/context.ts'
import { createApi } from '../../apps/server/src/main/http/serve.ts'
import { apiLoops, watcherLoops, workerLoops } from '../../apps/server/src/main/loops/loops.ts'
import { senderLoops } from '../../apps/server/src/main/loops/sender-loops.ts'
import { prepareInstallation } from '../../apps/server/src/main/prepare.ts'
import { ensureMoneySetting } from '../../apps/server/src/modules/pricing/index.ts'
import { writeClockOffset } from '../../apps/server/src/platform/database/clock-offset.ts'
import type { App } from '../../apps/server/src/platform/http/http.ts'
import type { Loop } from '../../apps/server/src/platform/loops/loop.ts'
import { tronText } from './chains.ts'
import { MAIL_SERVER } from './inboxes.ts'
import { nameAtService, writeServiceAccount } from './key-service.ts'

type Place = 'token' | 'staking' | 'pool' | 'usdt' | 'vault' | 'receiver' | 'payout'
export type Installation = {
  databaseUrl: string
  /** Hosts of the nodes. */
  nodes: { tron: readonly string[]; bsc: readonly string[] }
  places: Readonly<Record<Place, Hex>>
  /** Those that the receiver has replaced, newest first. */
  formerReceivers?: readonly Hex[]
  keys: { operator: Hex; payout: Hex }
  /** Whether a service outside holds them; otherwise files do. */
  hasKeyService?: boolean
  admins: readonly Hex[]
  /** Further settings, by name. */
  settings?: Readonly<Record<string, string>>
}

/** A running process of the service. */
export type Service = {
  loops: readonly Loop[]
  app: App | undefined
  /** Moves business time, in milliseconds ahead of real time. Processes share what is written of it. */
  setAhead(ms: number, of: { isWritten: boolean }): Promise<void>
  close(): Promise<void>
}

const MANY = '1000000'
const VAPID_KEY = Buffer.alloc(32, 7).toString('base64url')
/** The host at which the operators receive alarms. */
export const OPERATORS = 'operators.sim'
const WEBHOOK_SECRET = `whsec_${Buffer.alloc(32, 1).toString('base64')}`

function settingsOf(installation: Installation) {
  const { nodes, places, admins } = installation
  return {
    MODE: 'devnet',
    LOG_LEVEL: 'silent',
    DATABASE_URL: installation.databaseUrl,
    CONTROL_URL: 'http://control.sim',
    ADMINS: admins.map(tronText).join(),
    TRON_FULL_HOST: nodes.tron.map((host) => `http://${host}`).join(),
    TRON_TOKEN: tronText(places.token),
    TRON_STAKING: tronText(places.staking),
    TRON_REWARD_POOL: tronText(places.pool),
    TRON_START_BLOCK: '0',
    BSC_RPC: nodes.bsc.map((host) => `http://${host}`).join(),
    BSC_USDT: places.usdt,
    BSC_RECEIVER: [places.receiver, ...(installation.formerReceivers ?? [])].join(),
    BSC_PAYOUT_VAULT: places.vault,
    BSC_START_BLOCK: '0',
    ...keySettings(installation),
    ALARM_WEBHOOKS: `https://${OPERATORS}/alarms`,
    WEBHOOK_SECRETS: WEBHOOK_SECRET,
    SMTP_URL: `smtp://${MAIL_SERVER.host}:${MAIL_SERVER.port}`,
    VAPID_PRIVATE_KEY: VAPID_KEY,
    LIMIT_PER_MINUTE: MANY,
    ...installation.settings,
  }
}

export async function startService(
  installation: Installation,
  parts: { hasApi: boolean; hasLoops: boolean; aheadMs: number },
): Promise<Service> {
  const context = await createContext(configOf(installation))
  await moveClock(context, parts.aheadMs)
  await prepareInstallation(context)
  // As cheap as on the development chains: the energy fee covers a payout.
  await ensureMoneySetting(context, { name: 'trx_price', value: parseAmount('USDT', '0.005') })
  const loops = [
    ...(parts.hasApi ? apiLoops(context) : []),
    ...(parts.hasLoops
      ? [...watcherLoops(context), ...workerLoops(context), ...(await senderLoops(context))]
      : []),
  ]
  const app = parts.hasApi ? await openApi(context) : undefined
  return {
    loops: loops.map(whole),
    app,
    async setAhead(ms, { isWritten }) {
      if (isWritten) context.movableClock?.setOffset(ms)
      else await moveClock(context, ms)
    },
    async close() {
      await app?.close()
      await context.close()
    },
  }
}

/** What a step has begun ends with it: nothing is on its way while other loops have their turn. */
function whole(loop: Loop): Loop {
  const { settled } = loop
  if (settled === undefined) return loop
  return {
    ...loop,
    async step() {
      const isIdle = await loop.step()
      await settled()
      return isIdle
    },
  }
}

function keySettings({ keys, hasKeyService }: Installation) {
  if (hasKeyService !== true)
    return {
      TRON_OPERATOR_KEY_FILE: keyFile(keys.operator.slice(2)),
      BSC_PAYOUT_KEY_FILE: keyFile(keys.payout),
    }
  process.env.GOOGLE_APPLICATION_CREDENTIALS ??= serviceAccount()
  return {
    TRON_OPERATOR_KMS: `google:${nameAtService(keys.operator)}`,
    BSC_PAYOUT_KMS: `google:${nameAtService(keys.payout)}`,
  }
}

const configs = new Map<string, Config>()

/** Read once for all processes with the same settings. */
function configOf(installation: Installation): Config {
  const key = JSON.stringify(installation)
  const config = configs.get(key) ?? readConfig(settingsOf(installation))
  configs.set(key, config)
  return config
}

const keyFiles = new Map<string, string>()

function keyFile(key: string): string {
  const file = keyFiles.get(key) ?? join(folder(), `key-${keyFiles.size}`)
  if (!keyFiles.has(key)) writeFileSync(file, key, { mode: 0o600 })
  keyFiles.set(key, file)
  return file
}

function serviceAccount(): string {
  const path = join(folder(), 'service-account.json')
  writeServiceAccount(path)
  return path
}

let made: string | undefined
function folder(): string {
  if (made !== undefined) return made
  const path = mkdtempSync(join(tmpdir(), 'dct-simulation-keys-'))
  process.once('exit', () => rmSync(path, { recursive: true }))
  made = path
  return path
}

async function openApi(context: Context): Promise<App> {
  const app = await createApi(context, {
    loopStatus: () => [],
    countCall: () => undefined,
    wakeLoops: () => undefined,
  })
  await app.ready()
  return app
}

async function moveClock({ db, movableClock }: Context, aheadMs: number): Promise<void> {
  await writeClockOffset(db, aheadMs)
  movableClock?.setOffset(aheadMs)
}
