import { createECDH } from 'node:crypto'
import { isIP, isIPv6 } from 'node:net'
import { isKeystore } from '@dct/chain-clients/signers/keystore-format'
import { parseUnits } from '@dct/money'
import { isTronAddress, parseEvmAddress } from '@dct/rules/addresses'
import { PRICE_DECIMALS } from '@dct/rules/constants'
import { isEmail } from '@dct/rules/email'
import { type PublicTronNetwork, TRON_CHAIN_IDS } from '@dct/rules/tron-networks'
import { type TSchema, Type } from 'typebox'

export type Mode = 'devnet' | 'live'

/** The properties of a setting besides its type. */
export type Facts = {
  /** What the setting is for, in the reference table. */
  description: string
  /** The default, written as it would be set. `{NAME}` stands for the value of that setting. */
  unset?: string | Partial<Record<Mode, string>>
  /** The only mode that reads it; by default, both do. */
  only?: Mode
  /** The values that are allowed, in words: in errors and in the reference table. */
  expects?: string
  /** For trials: works in live mode, but the reference table does not offer it. */
  isUnlisted?: true
  /** `private key`: never read from the environment, but from a file that only its owner may read. */
  secret?: 'secret' | 'private key'
}

/** The facts of a list's items, which are described only with the list. */
const ITEM: Facts = { description: '' }

const string = (expects: string, facts: Facts) => Type.String({ minLength: 1, expects, ...facts })

/** Characters that no value has on purpose: line ends, other control characters, and invisible ones. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/u

export const text = (facts: Facts) =>
  Type.Refine(string('text', facts), (value) => !UNSEEN.test(value))

const LONGEST_BRAND = 60

/** A name that mails, pages and installed apps can show. */
export const brand = (facts: Facts) =>
  Type.Refine(
    string(`a name of at most ${LONGEST_BRAND} characters, none of them invisible`, facts),
    (value) => value.length <= LONGEST_BRAND && !UNSEEN.test(value),
  )

/** What a server listens on. IPv6 is read without its brackets. */
export const host = (facts: Facts) =>
  Type.Decode(string('an IPv4 or IPv6 address, or a host name', facts), (value) => {
    const bare = value.replace(/^\[(.*)\]$/, '$1')
    const isName = /^(?=.{1,253}$)[a-z\d](?:[a-z\d.-]*[a-z\d])?$/i.test(value)
    if (isIP(bare) !== 0 && (bare === value || isIPv6(bare))) return bare
    if (!isName || value.includes('..') || /^[\d.]+$/.test(value))
      throw new RangeError('not an address')
    return value
  })

/** The id of a project at WalletConnect's operator, which is public. */
export const walletConnectProject = (facts: Facts) =>
  Type.String({
    pattern: '^[0-9a-f]{32}$',
    expects: 'the 32 hexadecimal digits of a project of dashboard.reown.com',
    ...facts,
  })

export const oneOf = <const T extends string>(choices: T[], facts: Facts) => {
  const expects = choices.map((choice) => `\`${choice}\``).join(', ')
  return Type.Unsafe<T>(Type.Enum(choices, { expects, ...facts }))
}

export const flag = (facts: Facts) =>
  Type.Decode(oneOf(['on', 'off'], facts), (choice) => choice === 'on')

export const whole = (minimum: number, maximum: number, facts: Facts) => {
  const expects = `a whole number from ${minimum} to ${maximum}`
  return Type.Integer({ minimum, maximum, expects, ...facts })
}

export const block = (facts: Facts) =>
  whole(0, Number.MAX_SAFE_INTEGER, { expects: 'a block number', ...facts })

/** Read as base units. */
export const usdt = (facts: Facts) =>
  Type.Decode(string('an amount such as 0.10', facts), (amount) => parseUnits(amount, 18))

export const priceBounds = (facts: Facts) =>
  Type.Decode(string('two prices such as 0.50-2.00', facts), (value) => {
    const [minimum = 0n, maximum = 0n, ...others] = value
      .split('-')
      .map((price) => parseUnits(price.trim(), PRICE_DECIMALS))
    if (minimum >= maximum || others.length > 0) throw new RangeError('not in order')
    return { minimum, maximum }
  })

/** Read as hundredths of a percent. */
export const percent = (maximumBps: bigint, facts: Facts) =>
  Type.Decode(string(`a percentage from 0 to ${maximumBps / 100n}`, facts), (value) => {
    const bps = parseUnits(value, 2)
    if (bps > maximumBps) throw new RangeError('too much')
    return bps
  })

/** The addresses of one Tron node. */
export type TronNodeUrls = { http: string; jsonRpc: string }

/** A full node, to whose address paths are added, and its JSON-RPC. */
export const tronNode = (facts = ITEM) =>
  Type.Decode(string('an http(s) address without a query', facts), (value): TronNodeUrls => {
    const [node = '', jsonRpc, ...others] = value.split('|').map((part) => part.trim())
    if (node.includes('?') || others.length > 0) throw new RangeError('not the address of a node')
    const http = readUrl(node)
    return { http, jsonRpc: jsonRpc === undefined ? `${http}/jsonrpc` : readUrl(jsonRpc) }
  })

export type TronNetwork = { name: PublicTronNetwork | 'private'; chainId: number }

/** A private network is named by its chain id: that of a public one would make it a trial network. */
export const tronNetwork = (facts: Facts) =>
  Type.Decode(
    string('`mainnet`, `nile`, `shasta`, or the chain id of your own network', facts),
    (value): TronNetwork => {
      const [name] = PUBLIC_NETWORKS.filter((known) => known === value)
      if (name !== undefined) return { name, chainId: TRON_CHAIN_IDS[name] }
      const chainId = /^[1-9]\d{0,9}$/.test(value) ? Number(value) : 0
      const isPublic = Object.values<number>(TRON_CHAIN_IDS).includes(chainId)
      if (chainId < 1 || chainId > 2 ** 32 - 1 || isPublic) throw new RangeError('not a network')
      return { name: 'private', chainId }
    },
  )

const PUBLIC_NETWORKS = Object.keys(TRON_CHAIN_IDS) as PublicTronNetwork[]

export const url = (facts = ITEM) => Type.Decode(string('an http(s) address', facts), readUrl)

/** The address of a site, without any path. */
export const origin = (facts = ITEM) =>
  Type.Decode(string('an address such as https://earn.example.org', facts), (value) => {
    const { origin, hostname } = new URL(readUrl(value))
    if (origin !== readUrl(value).toLowerCase() || !isHost(hostname))
      throw new RangeError('not an origin')
    return origin
  })

/** Whether a server can have this host: an address, or a name of which every part can stand in the DNS. */
function isHost(hostname: string): boolean {
  const labels = hostname.replace(/^\[.*\]$/, 'address').split('.')
  return labels.every((label) => /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/.test(label))
}

/** TCP or a socket's folder: postgres:///db?host=/run/postgresql. The driver connects to a single server. */
export const postgresUrl = (facts: Facts) =>
  Type.Refine(string('a postgres:// address of one server', facts), (value) => {
    const url = URL.parse(value)
    if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return false
    const [sslMode = 'disable', ...others] = url.searchParams.getAll('sslmode')
    const folders = url.searchParams.getAll('host')
    const isOneServer = ![url.hostname, ...folders].some((name) => name.includes(','))
    const isUnique = folders.length < 2 && others.length === 0
    const isReadable = url.href.includes('://') && isDecodable(value)
    if (!/^\d*$/.test(url.searchParams.get('port') ?? '')) return false
    return isOneServer && isUnique && isReadable && SSL_MODES.includes(sslMode)
  })

/** The driver takes any other for the strictest, or for none. */
const SSL_MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify']

export const emailAddress = (facts = ITEM) =>
  Type.Refine(
    string('an e-mail address', facts),
    // What stands before the @ of an own address is plain: other letters need servers that all know them.
    (value) => isEmail(value) && /^[^@<>()[\]\\,;:"\P{ASCII}]{1,64}@/u.test(value),
  )

/** Ports on which TLS begins at once, and ports on which it begins with STARTTLS. */
const SMTP_PORTS: Readonly<Record<string, readonly string[]>> = {
  'smtps:': ['25', '587', '2525'],
  'smtp:': ['465'],
}

export const smtpUrl = (facts: Facts) =>
  Type.Refine(string('an smtp:// address, or smtps:// for port 465', facts), (value) => {
    const url = URL.parse(value)
    const wrongPorts = SMTP_PORTS[url?.protocol ?? '']
    // What follows the server could switch encryption off.
    const isBare = url !== null && /^\/?$/.test(url.pathname + url.search + url.hash)
    return isBare && isNamed(url) && isDecodable(value) && wrongPorts?.includes(url.port) === false
  })

export const telegramToken = (facts: Facts) =>
  Type.String({ pattern: '^\\d+:[\\w-]+$', expects: 'a token such as 123:abc', ...facts })

export const telegramChat = (facts: Facts) =>
  Type.String({
    pattern: '^(-?[1-9]\\d{0,18}|@[A-Za-z]\\w{3,31})$',
    expects: "a chat's number, or a channel's @name",
    ...facts,
  })

/** At least 24 random bytes, as the signing scheme requires. */
export const webhookSecret = () =>
  Type.Refine(string('a secret (whsec_ and base64)', ITEM), (value) => {
    const [, encoded = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? []
    return Buffer.from(encoded, 'base64').length >= 24
  })

/** A private key of P-256, as Web Push libraries print it. */
export const vapidKey = (facts: Facts) =>
  Type.Refine(
    string('32 bytes in base64url', facts),
    (value) =>
      /^[\w-]+$/.test(value) &&
      Buffer.from(value, 'base64url').length === 32 &&
      vapidPublicKey(value) !== undefined,
  )

/** The public key to a private one; undefined for zero, and for more than the curve's order. */
export function vapidPublicKey(privateKey: string): string | undefined {
  const curve = createECDH('prime256v1')
  try {
    curve.setPrivateKey(privateKey, 'base64url')
  } catch {
    return undefined
  }
  return curve.getPublicKey('base64url')
}

/** 20 zero bytes, for which nobody has a key. */
const ZERO_ADDRESS = 'T9yD14Nj9j7xAB4dbGeiX9h8unkKHxuWwb'

export const tronAddress = (facts = ITEM) =>
  Type.Refine(
    string('a Tron address (T…)', facts),
    (value) => isTronAddress(value) && value !== ZERO_ADDRESS,
  )

/** In mixed case it must match its checksum, which reveals mistyped digits. Nobody has the key of the zero address. */
export const evmAddress = (facts = ITEM) =>
  Type.Refine(
    Type.Unsafe<EvmAddress>(string('a BSC address (0x and 40 hex digits)', facts)),
    isEvmAddress,
  )

type EvmAddress = `0x${string}`

function isEvmAddress(value: string): value is EvmAddress {
  return parseEvmAddress(value)?.some((byte) => byte !== 0) === true
}

/** An address in use, and those that it has replaced. */
export type Succession = { now: EvmAddress; former: readonly EvmAddress[] }

export const evmSuccession = (facts: Facts) =>
  Type.Decode(
    string('a BSC address (0x and 40 hex digits); after it the former ones, after commas', facts),
    (value): Succession => {
      const [now, ...former] = value.split(',').map((part) => part.trim())
      if (now === undefined || !isEvmAddress(now) || !former.every(isEvmAddress))
        throw new RangeError('not an address')
      return { now, former }
    },
  )

/** Written with commas between the values. */
export const list = <T extends TSchema>(item: T, facts: Facts & { expects: string }) =>
  Type.Array(item, facts)

/** Read as 64 hex digits, without 0x. */
export const privateKey = (facts: Facts) =>
  Type.Decode(
    Type.String({
      pattern: '^(0x)?[0-9a-fA-F]{64}$',
      ...{ expects: 'one private key (64 hex digits)', secret: 'private key' },
      ...facts,
    }),
    (key) => key.replace(/^0x/, ''),
  )

/** A key that only its passphrase opens. A copy can be attacked without limit, so the file is protected like a key. */
export const keystore = (facts: Facts) =>
  Type.Refine(
    string('an encrypted key (keystore V3, JSON)', { secret: 'private key', ...facts }),
    isKeystore,
  )

export const passphrase = (facts: Facts) =>
  string('a passphrase', { secret: 'private key', ...facts })

const KMS_KEYS = {
  aws: /^aws:([\w:/-]+)$/,
  google:
    /^google:(projects\/[^/]+\/locations\/[^/]+\/keyRings\/[^/]+\/cryptoKeys\/[^/]+\/cryptoKeyVersions\/\d+)$/,
}

/** A key that a service holds and signs with. */
export type KmsKey = { service: keyof typeof KMS_KEYS; name: string }

/** @returns the key that a text names; undefined if it names none of a known service */
export function readKmsKey(text: string): KmsKey | undefined {
  for (const service of ['aws', 'google'] as const) {
    const name = KMS_KEYS[service].exec(text)?.[1]
    if (name !== undefined) return { service, name }
  }
  return undefined
}

export const kmsKey = (facts: Facts) =>
  Type.Decode(string('aws:ARN or google:projects/…/cryptoKeyVersions/N', facts), (text): KmsKey => {
    const key = readKmsKey(text)
    if (key === undefined) throw new RangeError('not a key of a known service')
    return key
  })

export type NodeHeader = { host: string; name: string; value: string }

/** HTTP headers for nodes. */
export const nodeHeaders = (facts: Facts) =>
  Type.Decode(
    string('`HOST NAME: VALUE`, separated by commas or line ends', { secret: 'secret', ...facts }),
    (content) =>
      content
        .split(/[,\n]/)
        .filter((line) => line.trim() !== '')
        .map((line): NodeHeader => {
          const parts = /^\s*(\S+)\s+([\w-]+):\s*(\S.*?)\s*$/.exec(line)
          if (parts === null) throw new RangeError('not a header')
          const [, host = '', name = '', value = ''] = parts
          if (OF_THE_CONNECTION.test(name) || !/^[\x20-\x7e]+$/.test(value))
            throw new RangeError('not a header of its own')
          return { host: host.toLowerCase(), name, value }
        }),
  )

/** They say how a request is sent, which only the client can know. */
const OF_THE_CONNECTION =
  /^(host|connection|content-length|content-type|transfer-encoding|upgrade|expect|te|trailer|keep-alive|accept-encoding)$/i

function isDecodable(value: string): boolean {
  return !/%(?![\da-f]{2})/i.test(value)
}

/** Whether a server can be reached under this host and port. Names within a network may have underscores. */
function isNamed({ hostname, port }: URL): boolean {
  return port !== '0' && /^(\[.*\]|\w[\w-]*(\.\w[\w-]*)*\.?)$/.test(hostname)
}

function readUrl(value: string): string {
  const url = new URL(value)
  const { protocol, username, password, hash } = url
  if (!isNamed(url)) throw new RangeError('no host')
  if (protocol !== 'http:' && protocol !== 'https:') throw new RangeError('not http')
  // No request can carry them: a key belongs into the path or a header.
  if (`${username}${password}${hash}` !== '') throw new RangeError('has a user or a fragment')
  return value.replace(/\/+$/, '')
}
