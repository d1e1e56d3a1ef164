import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeKeystore, rawKeySigner } from '@dct/chain-clients/signers/index'
import { formatTronAddress } from '@dct/rules/addresses'
import type { Hex } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bytesOf } from '../../modules/chain/index.ts'
import { realClock } from '../../platform/clock.ts'
import { createLogger } from '../../platform/logger.ts'
import { createChains } from '../chains/chains.ts'
import { readConfig, SettingsError } from '../config.ts'
import type { Context } from '../context.ts'
import { senderLoops } from './sender-loops.ts'

const [OPERATOR_KEY, WALLET_KEY, OTHER_KEY] = ['11', '22', '33'].map((byte) => byte.repeat(32))
const addressOf = (key = '') => rawKeySigner(key).address
const address = (byte: string): Hex => `0x${byte.repeat(20)}`
const tron = (byte: string) => formatTronAddress(bytesOf(address(byte)))

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-keys-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, content, { mode: 0o600 })
  return path
}

function keyFile(key = ''): string {
  return file(`${key.slice(0, 2)}.key`, key)
}

/**
 * The loops of a process with these key files. The contract's operator and the payout wallet have the first two keys.
 */
function loopsWith(keys: Record<string, string>) {
  const config = readConfig({
    ...{ CONTROL_URL: 'http://127.0.0.1:4000', DATABASE_URL: 'postgres://dct@127.0.0.1/dct' },
    ...{ TRON_FULL_HOST: 'http://127.0.0.1:9', TRON_JSON_RPC: 'http://127.0.0.1:9' },
    ...{ TRON_TOKEN: tron('a1'), TRON_STAKING: tron('a2'), TRON_REWARD_POOL: tron('a3') },
    ...{ BSC_RPC: 'http://127.0.0.1:9', BSC_USDT: address('b1'), BSC_RECEIVER: address('b2') },
    ...{ TRON_START_BLOCK: '1', BSC_START_BLOCK: '1', BSC_PAYOUT_ADDRESS: addressOf(WALLET_KEY) },
    ...keys,
  })
  const context = {
    ...{ config, clock: realClock, log: createLogger('silent'), chains: createChains(config) },
    operator: addressOf(OPERATOR_KEY),
    dctDecimals: 6,
    own: { operator: [], payout_wallet: [], fee_receiver: [], admin_wallet: [] },
  } satisfies Partial<Context>
  // The database is used only when a loop runs a step.
  return senderLoops(context as unknown as Context)
}

test('[T077] a process without keys starts but sends nothing; each valid key starts its sender', async () => {
  expect(await loopsWith({})).toEqual([])
  const [TRON_OPERATOR_KEY_FILE, BSC_PAYOUT_KEY_FILE] = [keyFile(OPERATOR_KEY), keyFile(WALLET_KEY)]
  const loops = await loopsWith({ TRON_OPERATOR_KEY_FILE, BSC_PAYOUT_KEY_FILE })
  expect(loops.map(({ name }) => name)).toEqual(['tron-sender', 'bsc-sender'])
})

const PASSPHRASE = 'a horse with no battery'

/** The files of a passphrase and of a keystore with a cheap key derivation. */
async function keystoreFiles(prefix: string, key: string, passphrase: string) {
  const keystore = await makeKeystore(key, PASSPHRASE, { N: 2, r: 8, p: 1 })
  return {
    [`${prefix}_KEYSTORE_FILE`]: file('keystore', keystore),
    [`${prefix}_PASSPHRASE_FILE`]: file('passphrase', `${passphrase}\n`),
  }
}

test('a keystore starts its sender with the passphrase from its file', async () => {
  const loops = await loopsWith(
    await keystoreFiles('TRON_OPERATOR', OPERATOR_KEY ?? '', PASSPHRASE),
  )
  expect(loops.map(({ name }) => name)).toEqual(['tron-sender'])
})

test('a wrong passphrase for a keystore prevents the start, and the error contains neither', async () => {
  const wrong = await keystoreFiles('BSC_PAYOUT', WALLET_KEY ?? '', 'another passphrase')
  const failure = loopsWith(wrong)
  await expect(failure).rejects.toThrow(SettingsError)
  await expect(failure).rejects.toThrow(
    /^BSC_PAYOUT_KEYSTORE_FILE can't be opened\. The passphrase/,
  )
  await expect(failure).rejects.not.toThrow(/another passphrase|22222222/)
})

test('without a passphrase or a terminal, the start fails with the name of the setting', async () => {
  const { BSC_PAYOUT_KEYSTORE_FILE } = await keystoreFiles(
    'BSC_PAYOUT',
    WALLET_KEY ?? '',
    PASSPHRASE,
  )
  await expect(
    loopsWith({ BSC_PAYOUT_KEYSTORE_FILE: BSC_PAYOUT_KEYSTORE_FILE ?? '' }),
  ).rejects.toThrow(/^BSC_PAYOUT_PASSPHRASE_FILE is missing/)
})

test.each(['TRON_OPERATOR_KEY_FILE', 'BSC_PAYOUT_KEY_FILE'])(
  '[T077] a key of another address in %s prevents the start, with an error that names the setting but not the key',
  async (setting) => {
    const start = loopsWith({ [setting]: keyFile(OTHER_KEY) })
    await expect(start).rejects.toThrow(SettingsError)
    await expect(start).rejects.toThrow(
      new RegExp(`^${setting} holds the key of ${addressOf(OTHER_KEY)}`),
    )
    await expect(start).rejects.not.toThrow(new RegExp(OTHER_KEY ?? ''))
  },
)
