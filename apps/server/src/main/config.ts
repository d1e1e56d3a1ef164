import { readFileSync } from 'node:fs'
import type { ReferralPayouts } from '@dct/api-contract/referrals'
import { parseUnits } from '@dct/money'
import { isTronAddress } from '@dct/rules/addresses'
import * as constants from '@dct/rules/constants'
import {
  asEvmAddress,
  asInstant,
  asList,
  asOneOf,
  asOrigin,
  asSwitch,
  asText,
  asUrl,
  asWhole,
  type Environment,
  SettingsReader,
} from './settings-reader.ts'

export type { Environment } from './settings-reader.ts'
export { SettingsError } from './settings-reader.ts'

export type Mode = 'devnet' | 'live'
export type TronNetwork = 'devnet' | 'mainnet' | 'nile' | 'shasta'

export type Config = {
  mode: Mode
  host: string
  port: number
  /** The site's own address, never taken from a request. */
  origin: string
  databaseUrl: string
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'silent'
  trustedProxies: number
  brand: string
  supportEmail: string
  /** Nodes that a wallet's script and the pages ask from within the page. */
  browserNodes: readonly string[]
  /** Tron addresses (base58check) that are admins from the start. */
  admins: readonly string[]
  isStepUpRequired: boolean
  tron: {
    network: TronNetwork
    chainId: number
    fullHosts: readonly string[]
    jsonRpcs: readonly string[]
    apiKey: string | undefined
    token: string
    staking: string
    rewardPool: string
    startBlock: number
    explorer: string
    /** Hex, without 0x. Only processes that send need it. */
    operatorKey: string | undefined
  }
  bsc: {
    chainId: number
    rpcs: readonly string[]
    usdt: `0x${string}`
    receiver: `0x${string}`
    payoutAddress: `0x${string}`
    startBlock: number
    explorer: string
    payoutKey: string | undefined
  }
  money: {
    /** USDT base units. */
    energyFee: bigint
    directRateBps: bigint
    priceMaxAgeHours: number
    nonDirectOpensAt: Date
    /** Who pays approved referral claims: the payout wallet's sender, or admins from their own wallets. */
    referralPayouts: ReferralPayouts
    /** USDT base units; a referral payout above it needs two admins. */
    secondApprovalAbove: bigint
    secondApprovalRateBps: bigint
  }
  freezeGraceCycles: number
  /** Requests a minute for one address together with one IP. */
  limits: { challenge: number; signIn: number; write: number; read: number }
  /** Devnet only: where the chain host takes orders, and the folder of the built wallet. */
  devnet: { controlUrl: string; tronProxy: string; bscProxy: string } | undefined
  /** Non-live only: the step at which a sender kills its own process, for crash tests. */
  crashAt: string | undefined
}

const KEY = /^(0x)?([0-9a-fA-F]{64})$/

/**
 * Reads and checks every setting once. Takes a plain object, prints no value, defaults no secret.
 * @throws SettingsError with one line for each missing or bad setting.
 */
export function readConfig(env: Environment): Config {
  const read = new SettingsReader(env)
  const mode = read.optional<Mode>(
    'MODE',
    'devnet',
    "write 'devnet' or 'live'",
    asOneOf('devnet', 'live'),
  )
  const isLive = mode === 'live'
  const config: Config = {
    mode,
    ...readSite(read, isLive),
    tron: readTron(read, isLive),
    bsc: readBsc(read, isLive),
    money: readMoney(read, isLive),
    freezeGraceCycles: read.optional(
      'FREEZE_GRACE_CYCLES',
      constants.FREEZE_GRACE_CYCLES,
      'a whole number from 0 to 30',
      asWhole(0, 30),
    ),
    limits: readLimits(read, isLive),
    devnet: isLive ? undefined : readDevnet(read),
    crashAt: isLive
      ? undefined
      : read.optional('CRASH_AT', undefined, 'the name of a step', asText),
  }
  requireDifferent(read, {
    TRON_TOKEN: config.tron.token,
    TRON_STAKING: config.tron.staking,
    TRON_REWARD_POOL: config.tron.rewardPool,
  })
  requireDifferent(read, {
    BSC_USDT: config.bsc.usdt,
    BSC_RECEIVER: config.bsc.receiver,
    BSC_PAYOUT_ADDRESS: config.bsc.payoutAddress,
  })
  read.finish()
  return config
}

/** Of addresses with different parts in the play none may be another: fees, say, would be paid out again unseen. */
function requireDifferent(
  read: SettingsReader,
  addresses: Readonly<Record<string, string | undefined>>,
): void {
  const seen = new Map<string, string>()
  for (const [name, address] of Object.entries(addresses)) {
    if (address === undefined) continue
    const other = seen.get(address.toLowerCase())
    if (other !== undefined) read.problem(`${name} is not valid: another address than ${other}`)
    seen.set(address.toLowerCase(), name)
  }
}

/** The settings of this very process. */
export function readOwnConfig(): Config {
  return readConfig(process.env)
}

function readSite(read: SettingsReader, isLive: boolean) {
  const host = read.optional('HOST', '127.0.0.1', 'an address to listen on', asText)
  const port = read.optional('PORT', 3000, 'a whole number from 0 to 65535', asWhole(0, 65_535))
  const originMend = "the site's own address, such as https://earn.example.org"
  return {
    host,
    port,
    origin: isLive
      ? read.required('PUBLIC_ORIGIN', originMend, asOrigin)
      : read.optional('PUBLIC_ORIGIN', `http://${host}:${port}`, originMend, asOrigin),
    databaseUrl: read.required('DATABASE_URL', 'a postgres:// address', asDatabaseUrl),
    logLevel: read.optional(
      'LOG_LEVEL',
      'info' as const,
      'fatal, error, warn, info, debug or silent',
      asOneOf('fatal', 'error', 'warn', 'info', 'debug', 'silent'),
    ),
    trustedProxies: read.optional(
      'TRUSTED_PROXIES',
      0,
      'how many proxies stand in front, 0 to 10',
      asWhole(0, 10),
    ),
    brand: read.optional('BRAND', 'DCT Earning', 'the name that the pages show', asText),
    supportEmail: isLive
      ? read.required('SUPPORT_EMAIL', 'the address that the terms name', asText)
      : read.optional('SUPPORT_EMAIL', 'support@dct-earning.example', 'an e-mail address', asText),
    browserNodes: read.optional(
      'BROWSER_NODES',
      isLive ? Object.values(PUBLIC_NODES) : [],
      'http(s) addresses that pages may ask, separated by commas',
      asList(asUrl),
    ),
    admins: read.optional(
      'ADMINS',
      [] as string[],
      'Tron addresses (T…), separated by commas',
      asList(asTronAddress),
    ),
    isStepUpRequired: read.optional('STEP_UP', isLive, "write 'on' or 'off'", asSwitch),
  }
}

function readTron(read: SettingsReader, isLive: boolean): Config['tron'] {
  const network = isLive
    ? read.required<TronNetwork>(
        'TRON_NETWORK',
        'mainnet, nile or shasta',
        asOneOf('mainnet', 'nile', 'shasta'),
      )
    : 'devnet'
  const address = 'a Tron address (T…)'
  return {
    network,
    chainId: TRON_CHAIN_IDS[network],
    fullHosts: read.required(
      'TRON_FULL_HOST',
      'one or two http(s) addresses of full nodes, separated by a comma',
      asList(asUrl),
    ),
    jsonRpcs: read.required(
      'TRON_JSON_RPC',
      'one or two http(s) addresses of JSON-RPC ends, separated by a comma',
      asList(asUrl),
    ),
    apiKey: read.optional('TRON_API_KEY', undefined, 'the key of the node provider', asText),
    token: read.required('TRON_TOKEN', address, asTronAddress),
    staking: read.required('TRON_STAKING', address, asTronAddress),
    rewardPool: read.required('TRON_REWARD_POOL', address, asTronAddress),
    startBlock: read.required(
      'TRON_START_BLOCK',
      'the block in which the contracts were deployed',
      asWhole(0, Number.MAX_SAFE_INTEGER),
    ),
    explorer: read.optional('TRON_EXPLORER', TRON_EXPLORERS[network], 'an http(s) address', asUrl),
    operatorKey: readKey(read, 'TRON_OPERATOR_KEY_FILE'),
  }
}

function readBsc(read: SettingsReader, isLive: boolean): Config['bsc'] {
  const chainMend = '56 (mainnet) or 97 (testnet)'
  const chainId = isLive
    ? read.required('BSC_CHAIN_ID', chainMend, (text) => Number(asOneOf('56', '97')(text)))
    : read.optional('BSC_CHAIN_ID', 97, chainMend, asWhole(1, 1_000_000))
  const address = 'a BSC address (0x and 40 hex digits)'
  return {
    chainId,
    rpcs: read.required(
      'BSC_RPC',
      'one or two http(s) addresses that serve eth_getLogs, separated by a comma',
      asList(asUrl),
    ),
    usdt: read.required('BSC_USDT', address, asEvmAddress),
    receiver: read.required('BSC_RECEIVER', address, asEvmAddress),
    payoutAddress: read.required('BSC_PAYOUT_ADDRESS', address, asEvmAddress),
    startBlock: read.required(
      'BSC_START_BLOCK',
      'the first block to read payments from',
      asWhole(0, Number.MAX_SAFE_INTEGER),
    ),
    explorer: read.optional(
      'BSC_EXPLORER',
      chainId === 56 ? 'https://bscscan.com' : 'https://testnet.bscscan.com',
      'an http(s) address',
      asUrl,
    ),
    payoutKey: readKey(read, 'BSC_PAYOUT_KEY_FILE'),
  }
}

function readMoney(read: SettingsReader, isLive: boolean): Config['money'] {
  const usdt = (text: string) => parseUnits(text, 18)
  const percent = (maximumBps: bigint) => (text: string) => {
    const bps = parseUnits(text, 2)
    if (bps > maximumBps) throw new RangeError('too much')
    return bps
  }
  return {
    energyFee: read.optional('ENERGY_FEE_USDT', usdt('0.10'), 'an amount such as 0.10', usdt),
    directRateBps: read.optional(
      'DIRECT_RATE_PERCENT',
      1_000n,
      'a percentage from 0 to 25',
      percent(constants.DIRECT_RATE_MAX_BPS),
    ),
    priceMaxAgeHours: read.optional(
      'PRICE_MAX_AGE_HOURS',
      isLive ? 24 : 24 * 36_500,
      'whole hours',
      asWhole(1, 1_000_000),
    ),
    nonDirectOpensAt: read.optional(
      'NON_DIRECT_OPENS_AT',
      new Date(constants.NON_DIRECT_OPENS_AT),
      'an instant such as 2025-04-05T00:00:00+07:00',
      asInstant,
    ),
    referralPayouts: read.optional<ReferralPayouts>(
      'REFERRAL_PAYOUTS',
      'automatic',
      "write 'automatic' or 'manual'",
      asOneOf('automatic', 'manual'),
    ),
    secondApprovalAbove: read.optional(
      'SECOND_APPROVAL_ABOVE_USDT',
      usdt('1000'),
      'an amount such as 1000',
      usdt,
    ),
    secondApprovalRateBps: read.optional(
      'SECOND_APPROVAL_ABOVE_PERCENT',
      5_000n,
      'a percentage from 0 to 75',
      percent(constants.REFERRAL_PERCENTAGE_MAX_BPS),
    ),
  }
}

/** Requests a minute. Wide in devnet, where one person and many tests share an address. */
function readLimits(read: SettingsReader, isLive: boolean): Config['limits'] {
  const perMinute = (name: string, live: number) =>
    read.optional(name, isLive ? live : 100_000, 'requests a minute', asWhole(1, 1_000_000))
  return {
    challenge: perMinute('LIMIT_CHALLENGE', 10),
    signIn: perMinute('LIMIT_SIGN_IN', 10),
    write: perMinute('LIMIT_WRITE', 30),
    read: perMinute('LIMIT_READ', 240),
  }
}

function readDevnet(read: SettingsReader): Config['devnet'] {
  return {
    controlUrl: read.required('CONTROL_URL', "the chain host's address", asUrl),
    tronProxy: read.required('TRON_FULL_HOST', "the chain host's Tron gateway", asUrl),
    bscProxy: read.required('BSC_RPC', "the chain host's BSC node", asUrl),
  }
}

function readKey(read: SettingsReader, name: string): string | undefined {
  return read.optional(
    name,
    undefined,
    'a readable file that holds one private key (64 hex digits)',
    (path) => {
      const key = KEY.exec(readFileSync(path, 'utf8').trim())?.[2]
      if (key === undefined) throw new RangeError('not a key')
      return key
    },
  )
}

function asTronAddress(text: string): string {
  if (!isTronAddress(text)) throw new RangeError('not a Tron address')
  return text
}

function asDatabaseUrl(text: string): string {
  if (!/^postgres(ql)?:$/.test(new URL(text).protocol))
    throw new RangeError('not a postgres address')
  return text
}

const TRON_CHAIN_IDS: Record<TronNetwork, number> = {
  devnet: 3_448_148_188,
  mainnet: 728_126_428,
  nile: 3_448_148_188,
  shasta: 2_494_104_990,
}

const TRON_EXPLORERS: Record<TronNetwork, string> = {
  devnet: 'https://nile.tronscan.org/#',
  mainnet: 'https://tronscan.org/#',
  nile: 'https://nile.tronscan.org/#',
  shasta: 'https://shasta.tronscan.org/#',
}

/** Nodes that a browser may ask without a key: wallets do, and the admin area reads balances there. */
export const PUBLIC_NODES = {
  mainnet: 'https://api.trongrid.io',
  shasta: 'https://api.shasta.trongrid.io',
  nile: 'https://nile.trongrid.io',
  bsc: 'https://bsc-dataseed.bnbchain.org',
  bscTestnet: 'https://bsc-testnet-dataseed.bnbchain.org',
} as const
