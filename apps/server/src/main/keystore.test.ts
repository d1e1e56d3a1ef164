import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKeystore, rawKeySigner } from '@dct/chain-clients/signers/index'
import { AWS_KEY, startKms } from '@dct/chain-clients/signers/testing/kms-stand-in'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { beforeEach, expect, onTestFinished, test } from 'vitest'

const KEY = '6e'.repeat(32)
const PASSPHRASE = 'a horse with no battery'
const COMMAND = join(import.meta.dirname, 'keystore.ts')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dct-keystore-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
})

function secretFile(name: string, content: string): string {
  const path = join(folder, name)
  writeFileSync(path, `${content}\n`, { mode: 0o600 })
  return path
}

function run(...parameters: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [COMMAND, ...parameters])
  return { code: status, out: `${stdout}`, err: `${stderr}` }
}

test('the command encrypts a key into a new file, and prints its addresses but never the key', async () => {
  const path = join(folder, 'operator.json')
  const passphrase = secretFile('passphrase', PASSPHRASE)
  const parameters = [path, '--key-file', secretFile('key', KEY), '--passphrase-file', passphrase]
  const { code, out, err } = run(...parameters)
  const { address } = rawKeySigner(KEY)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^Tron T\w{33}\nBSC {2}0x[0-9a-fA-F]{40}\n$/)
  expect(out.toLowerCase()).toContain(address)
  const keystore = readFileSync(path, 'utf8')
  expect(`${out}${keystore}`.toLowerCase()).not.toContain(KEY)
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect((await openKeystore(keystore, PASSPHRASE)).address).toBe(address)

  const again = run(path, '--passphrase-file', passphrase)
  expect(again.code).toBe(2)
  expect(again.err).toContain('file already exists')
  expect(readFileSync(path, 'utf8')).toBe(keystore)
})

test('a short passphrase, a file without a key and a missing terminal are refused, and nothing is written', () => {
  const path = join(folder, 'operator.json')
  const passphrase = secretFile('passphrase', PASSPHRASE)
  const half = secretFile('half', KEY.slice(32))
  for (const [parameters, reason] of [
    [['--passphrase-file', secretFile('short', 'eleven char')], /at least 12 characters/],
    [['--key-file', half, '--passphrase-file', passphrase], /doesn't hold one private key/],
    [[], /There is no terminal/],
    [['second'], /^Usage/],
  ] as const) {
    const { code, out, err } = run(path, ...parameters)
    expect(code).toBe(2)
    expect(err).toMatch(reason)
    expect(`${out}${err}`).not.toContain(KEY.slice(32))
    expect(existsSync(path)).toBe(false)
  }
})

test('the addresses of a key that a service keeps are printed, or why they can’t be read', async () => {
  const kms = await startKms(KEY)
  onTestFinished(kms.stop)
  // Not blocking: the service answers from this process.
  const ask = (...parameters: string[]) =>
    new Promise<{ out: string; err: string }>((resolve) => {
      const env = { ...ownEnvironment(), ...kms.environment }
      execFile(process.execPath, [COMMAND, ...parameters], { env }, (_error, out, err) =>
        resolve({ out, err }),
      )
    })
  const { out, err } = await ask('--kms', `aws:${AWS_KEY}`)
  expect(err).toBe('')
  expect(out.toLowerCase()).toContain(rawKeySigner(KEY).address)
  expect(out).toMatch(/^Tron T\w{33}\nBSC {2}0x[0-9a-fA-F]{40}\n$/)

  const unknown = await ask('--kms', `aws:${AWS_KEY.replace('5d2a', '5d2b')}`)
  expect(unknown).toMatchObject({ out: '', err: expect.stringContaining('Key does not exist') })
  for (const parameters of [
    ['--kms', AWS_KEY],
    ['--kms', `aws:${AWS_KEY}`, join(folder, 'operator.json')],
  ]) {
    const refused = await ask(...parameters)
    expect(refused).toMatchObject({ out: '', err: expect.stringContaining('Usage:') })
  }
})
