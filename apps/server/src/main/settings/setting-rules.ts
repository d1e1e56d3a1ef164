import { createECDH } from 'node:crypto'
import { TRON_CHAIN_IDS } from '@dct/rules/tron-networks'
import { wrongKeySources } from './key-sources.ts'
import type { Settings } from './schema.ts'

/** Each may be missing, because it is invalid by itself. */
type Some = Partial<Settings>

/** The settings that others need, if those are set. */
const NEEDS = [
  ['ALARM_EMAILS', 'SMTP_URL'],
  ['ALARM_EMAILS', 'SMTP_FROM'],
  ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID'],
  ['TELEGRAM_CHAT_ID', 'TELEGRAM_BOT_TOKEN'],
  ['HOLDER_EMAIL_FROM', 'SMTP_URL'],
  ['VAPID_PUBLIC_KEY', 'VAPID_PRIVATE_KEY'],
  ['VAPID_PRIVATE_KEY', 'VAPID_PUBLIC_KEY'],
  ['ALARM_WEBHOOKS', 'WEBHOOK_SECRETS'],
  ['EVENT_WEBHOOKS', 'WEBHOOK_SECRETS'],
  ['PRICE_PAIR', 'PRICE_PAIR_USDT'],
  ['PRICE_PAIR', 'PRICE_MINIMUM_USDT'],
  ['PRICE_PAIR', 'PRICE_MAXIMUM_USDT'],
] as const satisfies readonly (readonly [keyof Settings, keyof Settings])[]

/** Settings with different roles must differ: otherwise fees, for example, would be paid out again unnoticed. */
const DIFFERENT = [
  ['TRON_TOKEN', 'TRON_STAKING', 'TRON_REWARD_POOL'],
  ['BSC_USDT', 'BSC_RECEIVER', 'BSC_PAYOUT_VAULT'],
] as const satisfies readonly (readonly (keyof Settings)[])[]

const PUBLIC_CHAINS = Object.values<number>(TRON_CHAIN_IDS)

/** What settings must be beside others, each with the line for those that are not. */
const RULES: readonly (readonly [problem: string, isWrong: (s: Some) => boolean])[] = [
  [
    'TRON_CHAIN_ID is not valid: it is only for TRON_NETWORK=private',
    (s) => isLive(s) && s.TRON_NETWORK !== undefined && !isPrivate(s) && isGiven(s.TRON_CHAIN_ID),
  ],
  [
    'TRON_CHAIN_ID is missing: the chain id of the private network',
    (s) => isLive(s) && isPrivate(s) && !isGiven(s.TRON_CHAIN_ID),
  ],
  [
    // It would otherwise be treated as a trial network.
    'TRON_CHAIN_ID is not valid: it belongs to a public network',
    (s) => isLive(s) && isPrivate(s) && PUBLIC_CHAINS.includes(s.TRON_CHAIN_ID ?? 0),
  ],
  [
    'TRON_JSON_RPC is not valid: it must have as many addresses as TRON_FULL_HOST',
    ({ TRON_FULL_HOST: hosts = [], TRON_JSON_RPC: jsonRpcs = [] }) =>
      hosts.length !== jsonRpcs.length && hosts.length * jsonRpcs.length > 0,
  ],
  ...(['TRON_FULL_HOST', 'TRON_JSON_RPC', 'BSC_RPC'] as const).map(
    (name) =>
      [
        // Its answers would confirm each other.
        `${name} is not valid: it names a node twice`,
        (s: Some) =>
          new Set(s[name]?.map((one) => new URL(one).href)).size < (s[name]?.length ?? 0),
      ] as const,
  ),
  [
    'PUBLIC_ORIGIN is not valid: https, because wallets and browsers offer little to other pages',
    (s) => isLive(s) && s.PUBLIC_ORIGIN !== undefined && !isSafe(s.PUBLIC_ORIGIN),
  ],
  [
    'BROWSER_NODES is not valid: the names of nodes, without *',
    (s) => s.BROWSER_NODES?.some((one) => one.includes('*')) === true,
  ],
  [
    'TRON_NODES_AGREE is not valid: TRON_FULL_HOST has fewer nodes',
    (s) => (s.TRON_NODES_AGREE ?? 1) > Math.max(1, s.TRON_FULL_HOST?.length ?? 0),
  ],
  [
    'BSC_NODES_AGREE is not valid: BSC_RPC has fewer nodes',
    (s) => (s.BSC_NODES_AGREE ?? 1) > Math.max(1, s.BSC_RPC?.length ?? 0),
  ],
  [
    'NODE_HEADERS is not valid: it names a host that no node has',
    (s) => s.NODE_HEADERS?.some(({ host }) => !nodeHostsOf(s).includes(host)) === true,
  ],
  [
    // A pair is trusted only within bounds that the operator has set.
    'PRICE_MAXIMUM_USDT is not valid: it must be above PRICE_MINIMUM_USDT',
    ({ PRICE_PAIR, PRICE_MINIMUM_USDT: minimum = 0n, PRICE_MAXIMUM_USDT: maximum }) =>
      PRICE_PAIR !== undefined && maximum !== undefined && minimum >= maximum,
  ],
  [
    'VAPID_PUBLIC_KEY is not valid: it must belong to VAPID_PRIVATE_KEY',
    ({ VAPID_PUBLIC_KEY: shown, VAPID_PRIVATE_KEY: key }) =>
      shown !== undefined && key !== undefined && !arePair(shown, key),
  ],
  ...(['ALARM_WEBHOOKS', 'EVENT_WEBHOOKS'] as const).map(
    (name) =>
      [
        `${name} is not valid: https addresses, separated by commas`,
        (s: Some) => s[name]?.some((url) => !isSafeWebhook(url, s)) === true,
      ] as const,
  ),
]

/** One line for each setting that contradicts another, or needs one that is missing. */
export function wrongTogether(s: Settings): string[] {
  return [
    ...wrongKeySources(s),
    ...NEEDS.flatMap(([setting, needed]) =>
      isGiven(s[setting]) && !isGiven(s[needed]) && !keepsMails(s, setting)
        ? [`${needed} is missing: ${setting} needs it`]
        : [],
    ),
    ...RULES.filter(([, isWrong]) => isWrong(s)).map(([problem]) => problem),
    ...DIFFERENT.flatMap((names) => sameAddresses(s, names)),
  ]
}

function isLive({ MODE }: Some): boolean {
  return MODE === 'live'
}

function isPrivate({ TRON_NETWORK }: Some): boolean {
  return TRON_NETWORK === 'private'
}

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

/** A devnet without a mail server keeps holders' e-mails itself. */
function keepsMails(s: Some, setting: keyof Settings): boolean {
  return setting === 'HOLDER_EMAIL_FROM' && !isLive(s)
}

function nodeHostsOf({ TRON_FULL_HOST = [], TRON_JSON_RPC = [], BSC_RPC = [] }: Some): string[] {
  return [...TRON_FULL_HOST, ...TRON_JSON_RPC, ...BSC_RPC].map((url) => new URL(url).host)
}

/** In development a receiver on the same host needs no TLS. */
function isSafeWebhook(address: string, { MODE }: Some): boolean {
  return MODE === 'devnet' ? isSafe(address) : new URL(address).protocol === 'https:'
}

/** Encrypted, or on this machine. */
function isSafe(address: string): boolean {
  const { protocol, hostname } = new URL(address)
  return protocol === 'https:' || ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
}

/** Push services refuse every message that another key has signed. */
function arePair(publicKey: string, privateKey: string): boolean {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
  } catch {
    // Zero, or more than the curve's order.
    return false
  }
  return curve.getPublicKey('base64url') === publicKey.replace(/=+$/, '')
}

function sameAddresses(settings: Some, names: readonly (keyof Settings)[]): string[] {
  const seen = new Map<string, string>()
  return names.flatMap((name) => {
    const address = settings[name]
    if (typeof address !== 'string') return []
    const other = seen.get(address.toLowerCase())
    seen.set(address.toLowerCase(), name)
    return other === undefined ? [] : [`${name} is not valid: it must differ from ${other}`]
  })
}
