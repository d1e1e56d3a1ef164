import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeKeystore } from '@dct/chain-clients/signers/index'
import { AWS_KEY, startKms } from '@dct/chain-clients/signers/testing/kms-stand-in'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { useTestDatabase } from '../testing/database.ts'
import { settingsOf } from '../testing/host-settings.ts'
import { tronWatcherOf } from '../testing/payment-watchers.ts'
import { givenHolder, givenPlan, givenStake, PLAN } from '../testing/sender-chains.ts'
import { givenRewardPayout, payoutRow, type SenderWorld, senderWorld } from '../testing/senders.ts'

const PASSPHRASE = 'a horse with no battery'
const OTHER_KEY = '7b'.repeat(32)
const PATIENCE_MS = 30_000

const host = useChainHost()
const database = useTestDatabase()
let world: SenderWorld
let folder = ''
let cycle = 0
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dct-outputs-'))
  world = senderWorld(database.db, host())
  // This row keeps the audit from running: it would hold the test's payouts, whose amounts come from no chain.
  await sql`insert into audit_run (is_full, started_at, finished_at, compared, differences, outcomes)
    values (true, now(), now(), 0, 0, '[]')`.execute(database.db)
  await givenPlan(host())
  const { bscAddress } = host().serviceKeys.payout
  await host().control.faucet({ bscAddress, usdt: '100', bnb: '1' })
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
})

function secretFile(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

async function keystoreOf(prefix: string, key: string, passphrase = PASSPHRASE) {
  const keystore = await makeKeystore(key.replace(/^0x/, ''), PASSPHRASE, { N: 2, r: 8, p: 1 })
  return {
    [`${prefix}_KEYSTORE_FILE`]: secretFile(`${prefix}.json`, keystore),
    [`${prefix}_PASSPHRASE_FILE`]: secretFile(`${prefix}.passphrase`, passphrase),
  }
}

/** Starts a worker that logs everything; it is killed at the end of the test at the latest. */
function startWorker(settings: Record<string, string>) {
  const env = {
    ...ownEnvironment(),
    ...settingsOf(host(), database.settings),
    LOG_LEVEL: 'trace',
    ...settings,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'worker.ts')], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk
    })
  }
  const ended = once(child, 'close')
  return {
    output: () => output,
    async end() {
      child.kill('SIGTERM')
      await ended
      return output
    },
    async ownEnd() {
      await ended
      return output
    },
  }
}

/** The secret in every notation in which it could be printed. */
function writings(secret: string): string[] {
  const isHex = /^(0x)?[0-9a-fA-F]{64}$/.test(secret)
  const bytes = Buffer.from(secret.replace(/^0x/, ''), isHex ? 'hex' : 'utf8')
  const texts = [bytes.toString('hex'), bytes.toString('base64').replace(/=+$/, '')]
  const asNumbers = [
    [...bytes].join(','),
    [...bytes].join(', '),
    BigInt(`0x${texts[0]}`).toString(),
  ]
  return isHex ? [...texts, ...asNumbers] : [...texts, ...asNumbers, secret]
}

function expectNone(secrets: readonly string[], output: string): void {
  expect(output.length).toBeGreaterThan(0)
  for (const text of secrets.flatMap(writings)) {
    expect(output.toLowerCase()).not.toContain(text.toLowerCase())
  }
}

async function givenRewards(): Promise<bigint> {
  const holder = await givenHolder(host())
  const { stakeId } = await givenStake(host(), { holder, amount: 50_000_000n })
  cycle += 1
  return givenRewardPayout(world, {
    ...{ to: holder.address, amount: 1_000n, stakeId, planCode: PLAN.code, lastCycle: cycle },
  })
}

async function untilPaid(ids: readonly bigint[]): Promise<void> {
  for (const id of ids) {
    const state = async () => {
      await host().control.finalize()
      await tronWatcherOf(world).catchUp()
      return (await payoutRow(database.db, id)).state
    }
    await expect.poll(state, { timeout: PATIENCE_MS, interval: 200 }).toBe('final')
  }
}

test('a whole run with keystores, from start to a payment, writes neither keys nor passphrases', async () => {
  const { operator, payout } = host().serviceKeys
  const worker = startWorker({
    ...(await keystoreOf('TRON_OPERATOR', operator.tronPrivateKey)),
    ...(await keystoreOf('BSC_PAYOUT', payout.bscPrivateKey)),
  })
  const id = await givenRewards()
  await untilPaid([id])
  const output = await worker.end()
  // Not the only signature: the worker also states what referrers are owed.
  expect(output).toMatch(new RegExp(`"payout:${id}".*"payoutSigned"`))
  expectNone([operator.tronPrivateKey, payout.bscPrivateKey, PASSPHRASE], output)
})

test('a run whose key service first fails and then signs writes no credentials', async () => {
  const { operator } = host().serviceKeys
  const kms = await startKms(operator.tronPrivateKey)
  onTestFinished(kms.stop)
  kms.failure = { status: 400, body: { __type: 'KMSInvalidStateException', message: 'disabled' } }
  const worker = startWorker({ ...kms.environment, TRON_OPERATOR_KMS: `aws:${AWS_KEY}` })
  const id = await givenRewards()
  const hasWaited = () => worker.output().includes('"reason":"SIGNER"')
  await expect.poll(hasWaited, { timeout: PATIENCE_MS }).toBe(true)
  kms.failure = undefined
  await untilPaid([id])
  const output = await worker.end()
  expectNone([operator.tronPrivateKey, kms.environment.AWS_SECRET_ACCESS_KEY], output)
})

const WRONG = 'not the passphrase'
const FAILING: [string, () => Promise<Record<string, string>>][] = [
  ['a wrong passphrase', () => keystoreOf('TRON_OPERATOR', OTHER_KEY, WRONG)],
  ['the keystore of another key', () => keystoreOf('TRON_OPERATOR', OTHER_KEY)],
  ['another key', async () => ({ TRON_OPERATOR_KEY_FILE: secretFile('raw', OTHER_KEY) })],
  ['a damaged key', async () => ({ TRON_OPERATOR_KEY_FILE: secretFile('long', `${OTHER_KEY}7`) })],
]

test.each(FAILING)(
  'a start that fails because of %s writes neither key nor passphrase',
  async (_why, settings) => {
    const output = await startWorker(await settings()).ownEnd()
    expect(output).toMatch(/TRON_OPERATOR_KEY(STORE)?_FILE/)
    expectNone([OTHER_KEY, WRONG, PASSPHRASE], output)
  },
)
