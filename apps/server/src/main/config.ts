import { BSC_CHAIN_IDS } from '@dct/rules/bsc-networks'
import { TRON_CHAIN_IDS } from '@dct/rules/tron-networks'
import { keySourceOf } from './settings/key-sources.ts'
import { type Environment, readSettings } from './settings/read-settings.ts'
import type { Settings } from './settings/schema.ts'
import { wrongTogether } from './settings/setting-rules.ts'
import { withSettingsFile } from './settings/settings-file.ts'
import { vapidPublicKey } from './settings/value-types.ts'

/** Settings are missing or wrong. The message has one line per setting: its name and the fix, never its value. */
export class SettingsError extends Error {
  override name = 'SettingsError'
}

/** The settings as the processes use them; settings/schema.ts describes each. */
export type Config = ReturnType<typeof toConfig>

/**
 * Reads and checks every setting. Messages contain no values, and no secret has a default.
 * @throws SettingsError with one line for each missing or invalid setting
 */
export function readConfig(given: Environment): Config {
  const { env, problems } = withSettingsFile(given)
  const { settings, problems: wrong } = readSettings(env)
  problems.push(...wrong, ...wrongTogether(settings))
  if (problems.length > 0) throw new SettingsError(problems.join('\n'))
  return toConfig(settings)
}

/** The settings of the current process. */
export function readOwnConfig(): Config {
  return readConfig(process.env)
}

/** The price is the pair's time-weighted median over this time: a price that lasted for less than half does not move it. */
const PRICE_WINDOW_MS = 60 * 60_000
/** How far the pair may move the price within a day. */
const PRICE_STEP_BPS = 1_000n
/** Moving the price of a pair that holds less would be too cheap. */
const PRICE_LEAST_USDT = 10_000n
/** USDT on Tron's mainnet. */
const MAINNET_USDT = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
/** Calls per minute of one address or user, and the budget of one api process for the nodes. */
const LIVE_LIMITS = {
  ...{ challenge: 10, signIn: 10, write: 30, read: 240, node: 20 },
  /** The limit of one network (an IPv4 address, an IPv6 /64), as a multiple of a user's. */
  networkFactor: 20,
  nodeCallsPerSecond: 10,
}

/** The development chain calls itself Nile, so that wallets accept it. */
const DEVNET = { name: 'devnet', chainId: TRON_CHAIN_IDS.nile } as const

function toConfig(s: Settings) {
  const isLive = s.MODE === 'live'
  const network = isLive ? s.TRON_NETWORK : DEVNET
  const isMainnet = network.name === 'mainnet'
  return {
    mode: s.MODE,
    host: s.HOST,
    port: s.PORT,
    origin: s.PUBLIC_ORIGIN,
    databaseUrl: s.DATABASE_URL,
    replicaUrl: s.DATABASE_READ_URL,
    logLevel: s.LOG_LEVEL,
    trustedProxies: s.TRUSTED_PROXIES,
    isAccessLogged: isLive,
    metrics: { host: s.HOST, port: s.METRICS_PORT },
    deadMan: { chains: s.DEAD_MAN_CHAINS_URL, audit: s.DEAD_MAN_AUDIT_URL },
    allowedOrigins: s.ALLOWED_ORIGINS,
    brand: s.BRAND,
    supportEmail: s.SUPPORT_EMAIL,
    browserNodes: s.BROWSER_NODES,
    walletConnectProjectId: s.WALLETCONNECT_PROJECT_ID,
    admins: s.ADMINS,
    isStepUpRequired: isLive || s.STEP_UP,
    nodes: { headers: s.NODE_HEADERS ?? [], requestsPerSecond: s.NODE_REQUESTS_PER_SECOND },
    tron: {
      network: network.name,
      chainId: network.chainId,
      nodes: s.TRON_FULL_HOST,
      nodesAgree: s.TRON_NODES_AGREE,
      apiKey: s.TRON_API_KEY,
      token: s.TRON_TOKEN,
      staking: s.TRON_STAKING,
      rewardPool: s.TRON_REWARD_POOL,
      startBlock: s.TRON_START_BLOCK,
      explorer: TRON_EXPLORERS[network.name],
      operatorKey: keySourceOf(s, 'TRON_OPERATOR'),
    },
    bsc: {
      chainId: BSC_CHAIN_IDS[isMainnet ? 'mainnet' : 'testnet'],
      rpcs: s.BSC_RPC,
      nodesAgree: s.BSC_NODES_AGREE,
      usdt: s.BSC_USDT,
      receiver: s.BSC_RECEIVER.now,
      formerReceivers: s.BSC_RECEIVER.former,
      payoutVault: s.BSC_PAYOUT_VAULT,
      startBlock: s.BSC_START_BLOCK,
      explorer: isMainnet ? 'https://bscscan.com' : 'https://testnet.bscscan.com',
      payoutKey: keySourceOf(s, 'BSC_PAYOUT'),
    },
    money: {
      priceMaxAgeHours: s.PRICE_MAX_AGE_HOURS,
      pair: pairOf(s, isMainnet),
      secondApprovalAbove: s.SECOND_APPROVAL_ABOVE_USDT,
      secondApprovalRateBps: s.SECOND_APPROVAL_ABOVE_PERCENT,
    },
    limits: limitsOf(s),
    channels: channelSettingsOf(s),
    holderChannels: holderChannelsOf(s),
    devnet: isLive ? undefined : devnetOf(s),
    crashAt: s.CRASH_AT,
  }
}

function devnetOf(s: Settings) {
  return {
    controlUrl: s.CONTROL_URL,
    tronProxy: s.TRON_FULL_HOST[0]?.http ?? '',
    bscProxy: s.BSC_RPC[0] ?? '',
  }
}

/** Undefined if only admins set the price. */
function pairOf(s: Settings, isMainnet: boolean) {
  const { PRICE_PAIR: address, PRICE_BOUNDS_USDT: bounds } = s
  // Without bounds, a pair has already been refused.
  if (address === undefined || bounds === undefined) return undefined
  return {
    address,
    /** Undefined on trial networks, where any token may stand for it. */
    usdt: isMainnet ? MAINNET_USDT : undefined,
    rules: {
      windowMs: PRICE_WINDOW_MS,
      ...bounds,
      stepBps: PRICE_STEP_BPS,
      leastUsdt: s.MODE === 'live' ? PRICE_LEAST_USDT : 1n,
    },
  }
}

function limitsOf(s: Settings) {
  if (s.MODE === 'live') return LIVE_LIMITS
  const each = s.LIMIT_PER_MINUTE
  return {
    ...{ challenge: each, signIn: each, write: each, read: each, node: each },
    ...{ networkFactor: s.LIMIT_NETWORK, nodeCallsPerSecond: 10_000 },
  }
}

function channelSettingsOf(s: Settings) {
  return {
    emails: s.ALARM_EMAILS,
    smtpUrl: s.SMTP_URL,
    smtpFrom: s.SMTP_FROM,
    telegram: { api: telegramApiOf(s), token: s.TELEGRAM_BOT_TOKEN, chatId: s.TELEGRAM_CHAT_ID },
    alarmWebhooks: s.ALARM_WEBHOOKS,
    eventWebhooks: s.EVENT_WEBHOOKS,
    webhookSecrets: s.WEBHOOK_SECRETS,
  }
}

function telegramApiOf(s: Settings): string {
  return s.MODE === 'live' ? 'https://api.telegram.org' : s.TELEGRAM_API_URL
}

/** The ways to reach holders; each is undefined until the operator has set it up. */
function holderChannelsOf(s: Settings) {
  const { VAPID_PRIVATE_KEY: privateKey } = s
  const publicKey = privateKey && vapidPublicKey(privateKey)
  return {
    emailFrom: s.HOLDER_EMAIL_FROM,
    telegram:
      s.HOLDER_TELEGRAM_BOT_TOKEN === undefined
        ? undefined
        : { api: telegramApiOf(s), token: s.HOLDER_TELEGRAM_BOT_TOKEN },
    push:
      publicKey === undefined || privateKey === undefined
        ? undefined
        : { publicKey, privateKey, subject: `mailto:${s.SUPPORT_EMAIL}` },
  }
}

const NILE_EXPLORER = 'https://nile.tronscan.org/#'
const TRON_EXPLORERS = {
  devnet: NILE_EXPLORER,
  private: NILE_EXPLORER,
  mainnet: 'https://tronscan.org/#',
  nile: NILE_EXPLORER,
  shasta: 'https://shasta.tronscan.org/#',
}
