import { wrongKeySources } from './key-sources.ts'
import type { Settings } from './schema.ts'
import type { Succession } from './value-types.ts'

/** Each may be missing, because it is invalid by itself. */
type Some = Partial<Settings>

/** The settings that others need, if those are set. */
const NEEDS = [
  ['ALARM_EMAILS', 'SMTP_URL'],
  ['ALARM_EMAILS', 'SMTP_FROM'],
  ['TELEGRAM_BOT_TOKEN', 'TELEGRAM_CHAT_ID'],
  ['TELEGRAM_CHAT_ID', 'TELEGRAM_BOT_TOKEN'],
  ['HOLDER_EMAIL_FROM', 'SMTP_URL'],
  ['ALARM_WEBHOOKS', 'WEBHOOK_SECRETS'],
  ['EVENT_WEBHOOKS', 'WEBHOOK_SECRETS'],
  // A pair is trusted only within bounds that the operator has set.
  ['PRICE_PAIR', 'PRICE_BOUNDS_USDT'],
] as const satisfies readonly (readonly [keyof Settings, keyof Settings])[]

/** Settings with different roles must differ: otherwise fees, for example, would be paid out again unnoticed. */
const DIFFERENT = [
  ['TRON_TOKEN', 'TRON_STAKING', 'TRON_REWARD_POOL'],
  ['BSC_USDT', 'BSC_RECEIVER', 'BSC_PAYOUT_VAULT'],
] as const satisfies readonly (readonly AddressSetting[])[]

type AddressSetting =
  | 'TRON_TOKEN'
  | 'TRON_STAKING'
  | 'TRON_REWARD_POOL'
  | 'BSC_USDT'
  | 'BSC_RECEIVER'
  | 'BSC_PAYOUT_VAULT'

/** What settings must be beside others, each with the line for those that are not. */
const RULES: readonly (readonly [problem: string, isWrong: (s: Some) => boolean])[] = [
  ...(['TRON_FULL_HOST', 'BSC_RPC'] as const).map(
    (name) =>
      [
        // Its answers would confirm each other.
        `${name} is not valid: it names a node twice`,
        (s: Some) =>
          addressLists(name, s).some(
            (urls) => new Set(urls.map((one) => new URL(one).href)).size < urls.length,
          ),
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

function isGiven(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined
}

/** A devnet without a mail server keeps holders' e-mails itself. */
function keepsMails(s: Some, setting: keyof Settings): boolean {
  return setting === 'HOLDER_EMAIL_FROM' && !isLive(s)
}

/** The addresses of each kind that a setting names. */
function addressLists(name: 'TRON_FULL_HOST' | 'BSC_RPC', s: Some): string[][] {
  if (name === 'BSC_RPC') return [s.BSC_RPC ?? []]
  const nodes = s.TRON_FULL_HOST ?? []
  return [nodes.map(({ http }) => http), nodes.map(({ jsonRpc }) => jsonRpc)]
}

function nodeHostsOf(s: Some): string[] {
  const urls = [...addressLists('TRON_FULL_HOST', s), ...addressLists('BSC_RPC', s)].flat()
  return urls.map((url) => new URL(url).host)
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

function sameAddresses(settings: Some, names: readonly AddressSetting[]): string[] {
  const seen = new Map<string, string>()
  return names.flatMap((name) => {
    const addresses = addressesIn(settings[name])
    const [other] = addresses.flatMap((address) => seen.get(address) ?? [])
    for (const address of addresses) seen.set(address, name)
    return other === undefined ? [] : [`${name} is not valid: it must differ from ${other}`]
  })
}

function addressesIn(value: string | Succession | undefined): string[] {
  if (value === undefined) return []
  const addresses = typeof value === 'string' ? [value] : [value.now, ...value.former]
  return addresses.map((address) => address.toLowerCase())
}
