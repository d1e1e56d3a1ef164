import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { formatTronAddress } from '@dct/rules/addresses'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Environment, readConfig, SettingsError } from './config.ts'

const TRON = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const BSC = '0x55d398326f99059fF775485246999027B3197955'
const [RECEIVER, WALLET] = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`]
const STAKING = formatTronAddress(Buffer.alloc(20, 3))
const REWARD_POOL = formatTronAddress(Buffer.alloc(20, 4))
const KEY = 'ab'.repeat(32)

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-config-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function keyFile(text: string): string {
  const path = join(folder, `${text.length}.key`)
  writeFileSync(path, text)
  return path
}

const CHAINS = {
  DATABASE_URL: 'postgres://dct:secret-password@db.example.org:5432/dct',
  TRON_FULL_HOST: 'https://tron.example.org/',
  TRON_JSON_RPC: 'https://tron.example.org/jsonrpc',
  TRON_TOKEN: TRON,
  TRON_STAKING: STAKING,
  TRON_REWARD_POOL: REWARD_POOL,
  TRON_START_BLOCK: '70000000',
  BSC_RPC: 'https://bsc.example.org',
  BSC_USDT: BSC,
  BSC_RECEIVER: RECEIVER,
  BSC_PAYOUT_ADDRESS: WALLET,
  BSC_START_BLOCK: '45000000',
}
const LIVE: Environment = {
  ...CHAINS,
  MODE: 'live',
  PUBLIC_ORIGIN: 'https://earn.example.org',
  SUPPORT_EMAIL: 'help@example.org',
  TRON_NETWORK: 'mainnet',
  BSC_CHAIN_ID: '56',
}
const DEVNET: Environment = { ...CHAINS, CONTROL_URL: 'http://127.0.0.1:4000' }

/** The lines of the refusal; empty when the settings are accepted. */
function problemsOf(env: Environment): string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof SettingsError) return error.message.split('\n')
    throw error
  }
  return []
}

test('full settings are read, in live and in devnet', () => {
  expect(readConfig(LIVE)).toMatchObject({
    mode: 'live',
    origin: 'https://earn.example.org',
    isStepUpRequired: true,
    tron: { network: 'mainnet', chainId: 728_126_428, fullHosts: ['https://tron.example.org'] },
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
  '[CHAIN-15, CHAIN-16] a live start without %s names that setting and the mend, and no other',
  (name) => {
    for (const value of [undefined, '', '  ']) {
      const problems = problemsOf({ ...LIVE, [name]: value })
      expect(problems).toHaveLength(1)
      expect(problems[0]).toMatch(new RegExp(`^${name} is missing: .{4,}`))
    }
  },
)

test('everything that is missing is told at once', () => {
  const named = problemsOf({ MODE: 'live' }).map((line) => line.split(' ')[0])
  expect(named.toSorted()).toEqual(
    Object.keys(LIVE)
      .filter((name) => name !== 'MODE')
      .toSorted(),
  )
})

const BAD: Record<string, string[]> = {
  MODE: ['production', 'LIVE'],
  PORT: ['-1', '65536', '3e3', '80 80'],
  PUBLIC_ORIGIN: ['shop.example.net', 'ftp://example.org', 'https://example.org/app'],
  DATABASE_URL: ['mysql://u:hunter2@h/d', 'hunter2'],
  LOG_LEVEL: ['verbose'],
  TRUSTED_PROXIES: ['11', 'all'],
  ADMINS: [`${TRON},0x12`, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
  STEP_UP: ['yes'],
  TRON_NETWORK: ['devnet', 'ropsten'],
  TRON_FULL_HOST: ['tron.example.org', ',', 'https://a.example.org,nonsense'],
  TRON_JSON_RPC: ['ws://tron.example.org', ','],
  TRON_TOKEN: [BSC, 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv9'],
  TRON_STAKING: ['T'],
  TRON_REWARD_POOL: ['41'.padEnd(42, '0')],
  TRON_START_BLOCK: ['latest', '-5', '1.5'],
  TRON_OPERATOR_KEY_FILE: ['/does/not/exist.key'],
  TRON_EXPLORER: ['javascript:alert(1)'],
  BSC_CHAIN_ID: ['1', '60', 'bsc'],
  BSC_RPC: ['bsc.example.org', ','],
  BSC_USDT: [TRON, '0x12', `${BSC}00`],
  BSC_RECEIVER: ['0x'],
  BSC_PAYOUT_ADDRESS: ['vitalik.eth'],
  BSC_START_BLOCK: ['0x10'],
  BSC_PAYOUT_KEY_FILE: ['/does/not/exist.key'],
  ENERGY_FEE_USDT: ['-0.1', '1e3', 'ten'],
  DIRECT_RATE_PERCENT: ['25.01', '-1', '10.005'],
  PRICE_MAX_AGE_HOURS: ['0', 'day'],
  NON_DIRECT_OPENS_AT: ['soon'],
  REFERRAL_PAYOUTS: ['by hand', 'Manual'],
  SECOND_APPROVAL_ABOVE_USDT: ['many'],
  SECOND_APPROVAL_ABOVE_PERCENT: ['75.01'],
  FREEZE_GRACE_CYCLES: ['31', '-1'],
  LIMIT_CHALLENGE: ['0'],
  LIMIT_SIGN_IN: ['no'],
  LIMIT_WRITE: ['-3'],
  LIMIT_READ: ['1.5'],
}
const CASES = Object.entries(BAD).flatMap(([name, values]) => values.map((value) => [name, value]))

test.each(CASES)('%s=%s is refused by its name, without its value', (name = '', value = '') => {
  const problems = problemsOf({ ...LIVE, [name]: value })
  const own = problems.filter((line) => line.startsWith(`${name} is not valid: `))
  expect(own).toHaveLength(1)
  expect(problems.join('\n')).not.toContain(value.length > 3 ? value : 'secret-password')
})

test.each([
  ['BSC_PAYOUT_ADDRESS', RECEIVER, 'BSC_RECEIVER'],
  ['BSC_RECEIVER', BSC.toLowerCase(), 'BSC_USDT'],
  ['TRON_REWARD_POOL', STAKING, 'TRON_STAKING'],
])('%s must not be the address of another part', (name, value, other) => {
  expect(problemsOf({ ...LIVE, [name]: value })).toEqual([
    `${name} is not valid: another address than ${other}`,
  ])
})

test('a key comes from a file, in either spelling, and never stands in a message', () => {
  const config = readConfig({
    ...LIVE,
    TRON_OPERATOR_KEY_FILE: keyFile(`${KEY}\n`),
    BSC_PAYOUT_KEY_FILE: keyFile(`0x${KEY}`),
  })
  expect([config.tron.operatorKey, config.bsc.payoutKey]).toEqual([KEY, KEY])

  const problems = problemsOf({ ...LIVE, TRON_OPERATOR_KEY_FILE: keyFile(`${KEY}${KEY}`) })
  expect(problems).toEqual([expect.stringMatching(/^TRON_OPERATOR_KEY_FILE is not valid: /)])
  expect(problems[0]).not.toContain(KEY)
})

test('no secret has a default: processes without keys start and send nothing', () => {
  const { tron, bsc } = readConfig(LIVE)
  expect([tron.operatorKey, bsc.payoutKey]).toEqual([undefined, undefined])
})

test('two nodes of a chain are read from one setting', () => {
  const two = 'https://one.example.org , https://two.example.org/'
  const { tron, bsc } = readConfig({ ...LIVE, TRON_FULL_HOST: two, BSC_RPC: two })
  const read = ['https://one.example.org', 'https://two.example.org']
  expect([tron.fullHosts, bsc.rpcs]).toEqual([read, read])
})

test('what exists for development cannot be switched on in live', () => {
  const config = readConfig({
    ...LIVE,
    CONTROL_URL: 'http://127.0.0.1:4000',
    CRASH_AT: 'before-sign',
  })
  expect([config.devnet, config.crashAt]).toEqual([undefined, undefined])
})
