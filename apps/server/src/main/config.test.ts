import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { BSC, DEVNET, LIVE, problemsOf, RECEIVER, STAKING, TRON } from '../testing/live-settings.ts'
import { readConfig } from './config.ts'
import type { Environment } from './settings/read-settings.ts'

const KEY = 'ab'.repeat(32)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-config-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function keyFile(text: string, mode = 0o600): string {
  const path = join(folder, `${text.length}-${mode}.key`)
  writeFileSync(path, text, { mode })
  chmodSync(path, mode)
  return path
}

test('complete settings are accepted, in live and in devnet', () => {
  expect(readConfig(LIVE)).toMatchObject({
    mode: 'live',
    origin: 'https://earn.example.org',
    isStepUpRequired: true,
    tron: {
      network: 'mainnet',
      chainId: 728_126_428,
      nodes: [{ http: 'https://tron.example.org', jsonRpc: 'https://tron.example.org/jsonrpc' }],
    },
    bsc: { chainId: 56 },
    devnet: undefined,
  })
  expect(readConfig(DEVNET)).toMatchObject({
    mode: 'devnet',
    host: '127.0.0.1',
    port: 3000,
    origin: 'http://127.0.0.1:3000',
    isStepUpRequired: false,
    bsc: { chainId: 97 },
    devnet: { controlUrl: 'http://127.0.0.1:4000' },
  })
})

test.each(Object.keys(LIVE).filter((name) => name !== 'MODE'))(
  'a live start without %s names that setting and its fix, and no other',
  (name) => {
    for (const value of [undefined, '', '  ']) {
      const problems = problemsOf({ ...LIVE, [name]: value })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(new RegExp(`^${name} is missing: .{4,}`))
    }
  },
)

test('all missing settings are reported together', () => {
  const named = problemsOf({ MODE: 'live' }).map((line) => line.split(' ')[0])
  expect(named.toSorted()).toEqual(
    Object.keys(LIVE)
      .filter((name) => name !== 'MODE')
      .toSorted(),
  )
})

test('a private network is named by its chain id, which is none of a public network', () => {
  const own = readConfig({ ...LIVE, TRON_NETWORK: '493554757' })
  expect(own.tron).toMatchObject({ network: 'private', chainId: 493_554_757 })
  expect(own.bsc.chainId).toBe(97)
  for (const wrong of ['private', '0', '4294967296', '728126428', '3448148188', '0x1']) {
    expect(problemsOf({ ...LIVE, TRON_NETWORK: wrong })).toEqual([
      'TRON_NETWORK is not valid: `mainnet`, `nile`, `shasta`, or the chain id of your own network',
    ])
  }
})

test('mainnet goes with mainnet, and a trial network with BSC’s testnet', () => {
  expect(readConfig(LIVE).bsc).toMatchObject({ chainId: 56, explorer: 'https://bscscan.com' })
  const trial = readConfig({ ...LIVE, TRON_NETWORK: 'nile' })
  expect(trial.bsc).toMatchObject({ chainId: 97, explorer: 'https://testnet.bscscan.com' })
})

test('JSON-RPC is expected beside a node, unless its address is given', () => {
  const hosts = 'https://api.trongrid.io/, http://10.0.0.5:8090|http://10.0.0.5:8545/jsonrpc'
  expect(readConfig({ ...LIVE, TRON_FULL_HOST: hosts }).tron.nodes).toEqual([
    { http: 'https://api.trongrid.io', jsonRpc: 'https://api.trongrid.io/jsonrpc' },
    { http: 'http://10.0.0.5:8090', jsonRpc: 'http://10.0.0.5:8545/jsonrpc' },
  ])
  const twice = 'http://a.example|http://b.example/rpc,http://c.example|http://b.example/rpc'
  expect(problemsOf({ ...LIVE, TRON_FULL_HOST: twice })).toEqual([
    'TRON_FULL_HOST is not valid: it names a node twice',
  ])
})

test('sensitive admin actions always need a signature in live mode', () => {
  expect(readConfig({ ...LIVE, STEP_UP: 'off' }).isStepUpRequired).toBe(true)
})

test('a pair is followed only within bounds that the operator has set', () => {
  const pair = { ...LIVE, PRICE_PAIR: TRON }
  expect(problemsOf(pair)).toEqual(['PRICE_BOUNDS_USDT is missing: PRICE_PAIR needs it'])
  expect(readConfig({ ...pair, PRICE_BOUNDS_USDT: '0.5 - 2' }).money.pair?.rules).toMatchObject({
    minimum: 50_000_000n,
    maximum: 200_000_000n,
  })
  for (const wrong of ['0.5', '2-0.5', '1-1', '0.5-2-3', '-2', 'low-high'])
    expect(problemsOf({ ...pair, PRICE_BOUNDS_USDT: wrong })).toContain(
      'PRICE_BOUNDS_USDT is not valid: two prices such as 0.50-2.00',
    )
})

const KEY_WITHOUT_VERSION = 'google:projects/p/locations/l/keyRings/r/cryptoKeys/k'
const SECRET = `whsec_${'A'.repeat(40)}`

test('a channel needs all of its settings, and webhooks outside of development need https', () => {
  const needs = (changes: Environment) => problemsOf({ ...LIVE, ...changes })
  expect(needs({ ALARM_EMAILS: 'ops@example.org' })).toEqual([
    'SMTP_URL is missing: ALARM_EMAILS needs it',
    'SMTP_FROM is missing: ALARM_EMAILS needs it',
  ])
  expect(needs({ TELEGRAM_CHAT_ID: '-42' })).toEqual([
    'TELEGRAM_BOT_TOKEN is missing: TELEGRAM_CHAT_ID needs it',
  ])
  expect(needs({ TELEGRAM_BOT_TOKEN: '1:abc' })).toEqual([
    'TELEGRAM_CHAT_ID is missing: TELEGRAM_BOT_TOKEN needs it',
  ])
  const local = { ALARM_WEBHOOKS: 'http://127.0.0.1:9000/a' }
  expect(needs(local)).toEqual([
    'WEBHOOK_SECRETS is missing: ALARM_WEBHOOKS needs it',
    'ALARM_WEBHOOKS is not valid: https addresses, separated by commas',
  ])
  expect(problemsOf({ ...DEVNET, ...local, WEBHOOK_SECRETS: SECRET })).toEqual([])
  const elsewhere = { EVENT_WEBHOOKS: 'http://example.org', WEBHOOK_SECRETS: SECRET }
  expect(problemsOf({ ...DEVNET, ...elsewhere })).toHaveLength(1)
  const all = {
    ...{ ALARM_EMAILS: 'a@example.org,b@example.org', SMTP_URL: 'smtps://u:p@mail.example.org' },
    ...{ SMTP_FROM: 'dct@example.org', TELEGRAM_BOT_TOKEN: '1:abc', TELEGRAM_CHAT_ID: '-42' },
    EVENT_WEBHOOKS: 'https://example.org/x',
    WEBHOOK_SECRETS: `${SECRET}, ${SECRET}`,
  }
  expect(readConfig({ ...LIVE, ...all }).channels).toMatchObject({
    emails: ['a@example.org', 'b@example.org'],
    webhookSecrets: [SECRET, SECRET],
  })
})

const BAD: Record<string, string[]> = {
  ALARM_EMAILS: ['ops', 'a@example.org,b'],
  SMTP_URL: ['mail.example.org', 'https://mail.example.org'],
  WEBHOOK_SECRETS: ['hunter2hunter2hunter2hunter2', 'whsec_AAAA'],
  MODE: ['production', 'LIVE'],
  PORT: ['-1', '65536', '3e3', '80 80'],
  PUBLIC_ORIGIN: ['shop.example.net', 'ftp://example.org', 'https://example.org/app'],
  DATABASE_URL: ['mysql://u:hunter2@h/d', 'hunter2'],
  LOG_LEVEL: ['verbose'],
  TRUSTED_PROXIES: ['11', 'all'],
  ADMINS: [`${TRON},0x12`, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
  TRON_NETWORK: ['devnet', 'ropsten'],
  TRON_FULL_HOST: [
    'tron.example.org',
    ',',
    'https://a.example.org,nonsense',
    'http://a.example|ws://b',
  ],
  TRON_TOKEN: [BSC, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
  TRON_STAKING: ['T'],
  TRON_REWARD_POOL: ['41'.padEnd(42, '0')],
  TRON_START_BLOCK: ['latest', '-5', '1.5'],
  TRON_OPERATOR_KEY_FILE: ['/does/not/exist.key'],
  TRON_OPERATOR_KMS: ['aws:a key', 'azure:key', KEY_WITHOUT_VERSION],
  BSC_RPC: ['bsc.example.org', ','],
  BSC_USDT: [TRON, '0x12', `${BSC}00`],
  BSC_RECEIVER: ['0x', `${RECEIVER},0x`, `${RECEIVER},`],
  BSC_PAYOUT_VAULT: ['vitalik.eth'],
  BSC_START_BLOCK: ['0x10'],
  BSC_PAYOUT_KEY_FILE: ['/does/not/exist.key'],
  PRICE_MAX_AGE_HOURS: ['0', 'day'],
  SECOND_APPROVAL_ABOVE_USDT: ['many', '-0.1', '1e3'],
  SECOND_APPROVAL_ABOVE_PERCENT: ['75.01', '-1', '10.005'],
  ALLOWED_ORIGINS: ['pages.example.net', 'https://pages.example.net/path'],
}
const CASES = Object.entries(BAD).flatMap(([name, values]) => values.map((value) => [name, value]))

test.each(CASES)(
  '%s=%s is refused with its name but without its value',
  (name = '', value = '') => {
    const problems = problemsOf({ ...LIVE, [name]: value })
    const own = problems.filter((line) => line.startsWith(`${name} is not valid: `))
    expect(own).toHaveLength(1)
    expect(problems.join('\n')).not.toContain(value.length > 3 ? value : 'secret-password')
  },
)

test.each([
  ['BSC_PAYOUT_VAULT', RECEIVER, 'BSC_RECEIVER'],
  ['BSC_RECEIVER', BSC.toLowerCase(), 'BSC_USDT'],
  ['BSC_RECEIVER', `${RECEIVER}, ${BSC.toLowerCase()}`, 'BSC_USDT'],
  ['TRON_REWARD_POOL', STAKING, 'TRON_STAKING'],
])('%s must not be the address of another part', (name, value, other) => {
  expect(problemsOf({ ...LIVE, [name]: value })).toEqual([
    `${name} is not valid: it must differ from ${other}`,
  ])
})

test('a key is read from a file, with or without 0x, and never appears in a message', () => {
  const config = readConfig({
    ...LIVE,
    TRON_OPERATOR_KEY_FILE: keyFile(`${KEY}\n`),
    BSC_PAYOUT_KEY_FILE: keyFile(`0x${KEY}`),
  })
  expect([config.tron.operatorKey, config.bsc.payoutKey]).toEqual([
    { kind: 'raw', setting: 'TRON_OPERATOR_KEY_FILE', privateKey: KEY },
    { kind: 'raw', setting: 'BSC_PAYOUT_KEY_FILE', privateKey: KEY },
  ])

  const problems = problemsOf({ ...LIVE, TRON_OPERATOR_KEY_FILE: keyFile(`${KEY}${KEY}`) })
  expect(problems).toEqual([expect.stringMatching(/^TRON_OPERATOR_KEY_FILE is not valid: /)])
  expect(problems[0]).not.toContain(KEY)
})

test('a keystore and its passphrase are read from files', () => {
  const keystore = '{"version":3,"crypto":{}}'
  const { tron } = readConfig({
    ...LIVE,
    TRON_OPERATOR_KEYSTORE_FILE: keyFile(keystore),
    TRON_OPERATOR_PASSPHRASE_FILE: keyFile('hunter2 hunter2\n'),
  })
  expect(tron.operatorKey).toMatchObject({
    kind: 'keystore',
    keystore,
    passphrase: 'hunter2 hunter2',
  })
  for (const content of ['{"version":1}', KEY, '[]']) {
    const problems = problemsOf({ ...LIVE, TRON_OPERATOR_KEYSTORE_FILE: keyFile(content) })
    expect(problems).toEqual([expect.stringMatching(/^TRON_OPERATOR_KEYSTORE_FILE is not valid: /)])
    expect(problems.join()).not.toContain(KEY)
  }
})

const VERSION = 'projects/p/locations/l/keyRings/r/cryptoKeys/k/cryptoKeyVersions/1'

test('the key of a key service is given by the service and the key’s name there', () => {
  const { tron, bsc } = readConfig({
    ...LIVE,
    TRON_OPERATOR_KMS: 'aws:alias/operator',
    BSC_PAYOUT_KMS: `google:${VERSION}`,
  })
  expect(tron.operatorKey).toMatchObject({ kind: 'kms', service: 'aws', name: 'alias/operator' })
  expect(bsc.payoutKey).toMatchObject({ kind: 'kms', service: 'google', name: VERSION })
})

test('a key that is given twice is refused, and so is a passphrase without a keystore', () => {
  const [key, keystore] = [keyFile(KEY), keyFile('{"version":3}')]
  expect(
    problemsOf({ ...LIVE, BSC_PAYOUT_KEY_FILE: key, BSC_PAYOUT_KEYSTORE_FILE: keystore }),
  ).toEqual(['BSC_PAYOUT_KEYSTORE_FILE and BSC_PAYOUT_KEY_FILE are all set: keep one'])
  expect(problemsOf({ ...LIVE, BSC_PAYOUT_PASSPHRASE_FILE: keyFile('hunter2') })).toEqual([
    'BSC_PAYOUT_KEYSTORE_FILE is missing: the keystore that BSC_PAYOUT_PASSPHRASE_FILE opens',
  ])
})

test('every value may come from a file, whose final line break is ignored', () => {
  const inFiles = Object.entries(LIVE).map(([name, value]) => {
    const path = join(folder, name)
    writeFileSync(path, `${value}\n`)
    return [`${name}_FILE`, path]
  })
  expect(readConfig(Object.fromEntries(inFiles))).toEqual(readConfig(LIVE))
})

test('a value that is given twice is refused, even if both agree', () => {
  const path = join(folder, 'brand')
  writeFileSync(path, 'Earn')
  expect(problemsOf({ ...LIVE, BRAND: 'Earn', BRAND_FILE: path })).toEqual([
    'BRAND and BRAND_FILE are both set: keep one',
  ])
})

test.each([
  ['is missing', () => join(folder, 'nowhere'), 'cannot be read (ENOENT)'],
  ['is a folder', () => folder, 'cannot be read (EISDIR)'],
  ['is empty', () => keyFile(' \n'), 'a file that holds a postgres:// address'],
  ['holds something else', () => keyFile('hunter2'), 'a file that holds a postgres:// address'],
])('a settings file that %s is reported under the name of its setting', (_what, path, reason) => {
  const problems = problemsOf({ ...LIVE, DATABASE_URL: undefined, DATABASE_URL_FILE: path() })
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(/^DATABASE_URL_FILE is not valid: /)
  expect(problems[0]).toContain(reason)
  expect(problems[0]).not.toContain('hunter2')
})

test('a private key in the environment itself is refused without being shown', () => {
  const problems = problemsOf({ ...LIVE, BSC_PAYOUT_KEY: KEY })
  expect(problems).toEqual([expect.stringMatching(/^BSC_PAYOUT_KEY is not valid: .*_KEY_FILE$/)])
  expect(problems.join()).not.toContain(KEY)
})

test('a credential of systemd may show the rights of its access list, and only there', () => {
  const file = keyFile(KEY, 0o440)
  const problemsIn = (folder: string) =>
    problemsOf({ ...LIVE, BSC_PAYOUT_KEY_FILE: file, CREDENTIALS_DIRECTORY: folder })
  expect(problemsIn(dirname(file))).toEqual([])
  expect(problemsIn('/elsewhere')).toHaveLength(1)
  chmodSync(file, 0o444)
  expect(problemsIn(dirname(file))).toHaveLength(1)
})

test('[T077] no secret has a default: processes without keys start but send nothing', () => {
  const { tron, bsc } = readConfig(LIVE)
  expect([tron.operatorKey, bsc.payoutKey]).toEqual([undefined, undefined])
})

test('one setting can name two nodes of a chain', () => {
  const two = 'https://one.example.org , https://two.example.org/'
  const { tron, bsc } = readConfig({
    ...{ ...LIVE, TRON_FULL_HOST: two, BSC_RPC: two },
  })
  const read = ['https://one.example.org', 'https://two.example.org']
  expect([tron.nodes.map(({ http }) => http), bsc.rpcs]).toEqual([read, read])
})

test('node settings that contradict each other are reported by name', () => {
  const two = 'https://one.example.org,https://two.example.org'
  const named = (changes: Environment) => problemsOf({ ...LIVE, ...changes })
  expect(named({ TRON_NODES_AGREE: '2', BSC_NODES_AGREE: '1' })).toEqual([
    'TRON_NODES_AGREE is not valid: TRON_FULL_HOST has fewer nodes',
  ])
  expect(named({ BSC_RPC: two, BSC_NODES_AGREE: '3' })).toEqual([
    'BSC_NODES_AGREE is not valid: BSC_RPC has fewer nodes',
  ])
  expect(named({ NODE_HEADERS: 'other.example.org X-Token: top-secret' })).toEqual([
    'NODE_HEADERS is not valid: it names a host that no node has',
  ])
})

test('headers are read for each node; a line that is not a header is refused without being repeated', () => {
  const headers = 'tron.example.org X-Token: a b\nbsc.example.org Authorization: Bearer c'
  expect(readConfig({ ...LIVE, NODE_HEADERS: headers }).nodes.headers).toEqual([
    { host: 'tron.example.org', name: 'X-Token', value: 'a b' },
    { host: 'bsc.example.org', name: 'Authorization', value: 'Bearer c' },
  ])
  const problems = problemsOf({ ...LIVE, NODE_HEADERS: 'tron.example.org top-secret' })
  expect(problems).toEqual([expect.stringMatching(/^NODE_HEADERS is not valid: /)])
  expect(problems.join()).not.toContain('top-secret')
})

test('a service without a mode is refused, unless it has the control address of a development network', () => {
  const { MODE: _, ...rest } = LIVE
  expect(problemsOf(rest)).toEqual(['MODE is missing: live'])
  expect(problemsOf({})[0]).toBe('MODE is missing: live')
  expect(problemsOf(DEVNET)).toEqual([])
})

test('development features cannot be switched on in live', () => {
  const config = readConfig({
    ...LIVE,
    CONTROL_URL: 'http://127.0.0.1:4000',
    CRASH_AT: 'before-sign',
  })
  expect([config.devnet, config.crashAt]).toEqual([undefined, undefined])
})

test.each([
  ['644', 0o644],
  ['640', 0o640],
  ['604', 0o604],
])('a key file that others may read (mode %s) is refused with its name', (_text, mode) => {
  const problems = problemsOf({ ...LIVE, BSC_PAYOUT_KEY_FILE: keyFile(KEY, mode) })
  expect(problems).toEqual([
    expect.stringMatching(
      /^BSC_PAYOUT_KEY_FILE names a file that others may read \(mode 6[0-9]{2}\): chmod 600/,
    ),
  ])
  expect(problems.join()).not.toContain(KEY)
})
