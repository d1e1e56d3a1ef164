/**
 * `keystore.ts FILE [--key-file FILE] [--passphrase-file FILE]`: encrypts a given or a new private key with a
 * passphrase and writes it to a new file. Prints the key's addresses, never the key. `keystore.ts --kms KEY` prints
 * those of a key that a service keeps, and writes nothing.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeKeystore, rawKeySigner, SignerUnavailable } from '@dct/chain-clients/signers/index'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { askHidden } from '../platform/ask-hidden.ts'
import { createFile } from '../platform/create-file.ts'
import { SettingsError } from './config.ts'
import { openSigner } from './open-signer.ts'
import { readKmsKey } from './settings/value-types.ts'

const USAGE = `Usage: npm run keystore -- FILE [--key-file FILE] [--passphrase-file FILE]
       npm run keystore -- --kms KEY
  FILE               the keystore to write; it must not exist
  --key-file         a file with the private key to encrypt (64 hex digits); without it, a new key is created
  --passphrase-file  a file with the passphrase; without it, you are asked for it
  --kms              a key that a service keeps, to print its addresses: aws:ARN or google:projects/…/cryptoKeyVersions/N`
const SHORTEST_PASSPHRASE = 12

/** A mistake in running the command; the message says how to correct it. */
class Mistake extends Error {}

async function run(): Promise<void> {
  const { path, options } = readArguments()
  const address = path === undefined ? await kept(options.kms) : await writeKeystore(path, options)
  const bytes = Buffer.from(address.slice(2), 'hex')
  process.stdout.write(`Tron ${formatTronAddress(bytes)}\nBSC  ${formatEvmAddress(bytes)}\n`)
}

type Options = ReturnType<typeof readArguments>['options']

/** @returns the address of the key of a service */
async function kept(name = ''): Promise<string> {
  const kms = readKmsKey(name)
  if (kms === undefined) throw new Mistake(`${name} names no key of a service.\n${USAGE}`)
  return (await openSigner({ kind: 'kms', setting: '--kms', ...kms })).address
}

/** @returns the address of the key in the new keystore */
async function writeKeystore(path: string, options: Options): Promise<string> {
  const key = options['key-file'] ? readKey(options['key-file']) : randomBytes(32).toString('hex')
  const passphrase = await passphraseFrom(options['passphrase-file'])
  const { address } = rawKeySigner(key)
  // An existing file is never overwritten: its key would be lost.
  const keystore = await makeKeystore(key, passphrase)
  createFile(path, (file) => writeFileSync(file, `${keystore}\n`))
  return address
}

function readArguments() {
  const text = { type: 'string' } as const
  const known = { 'key-file': text, 'passphrase-file': text, kms: text }
  try {
    const { values: options, positionals } = parseArgs({ options: known, allowPositionals: true })
    const [path, ...others] = positionals
    const names = path === undefined ? 'kms' : 'key-file passphrase-file'
    const isWhole = path !== undefined || options.kms !== undefined
    const fit = Object.keys(options).every((name) => names.split(' ').includes(name))
    if (isWhole && fit && others.length === 0) return { path, options }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
  }
  throw new Mistake(USAGE)
}

function readKey(path: string): string {
  const key = /^(?:0x)?([0-9a-fA-F]{64})$/.exec(readFileSync(path, 'utf8').trim())?.[1]
  if (key === undefined) throw new Mistake(`${path} doesn't hold one private key (64 hex digits).`)
  return key
}

async function passphraseFrom(path: string | undefined): Promise<string> {
  const given = path === undefined ? await askTwice() : readFileSync(path, 'utf8').trim()
  if (given.length >= SHORTEST_PASSPHRASE) return given
  throw new Mistake(`The passphrase needs at least ${SHORTEST_PASSPHRASE} characters.`)
}

async function askTwice(): Promise<string> {
  const first = await askHidden('Passphrase:')
  if (first === undefined)
    throw new Mistake(`There is no terminal to ask for a passphrase.\n${USAGE}`)
  if (first !== (await askHidden('Again:'))) throw new Mistake('The two passphrases differ.')
  return first
}

try {
  await run()
} catch (error) {
  const expected = [Mistake, SettingsError, SignerUnavailable]
  const isExpected = expected.some((kind) => error instanceof kind)
  // A file that can't be read or written: the message names it.
  if (!isExpected && !(error instanceof Error && 'code' in error)) throw error
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 2
}
