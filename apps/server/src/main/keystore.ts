/**
 * `keystore.ts FILE [--key-file FILE] [--passphrase-file FILE]`: encrypts a given or a new private key with a
 * passphrase and writes it to a new file. Prints the key's addresses, never the key.
 */
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { makeKeystore, rawKeySigner } from '@dct/chain-clients/signers/index'
import { formatEvmAddress, formatTronAddress } from '@dct/rules/addresses'
import { askHidden } from '../platform/ask-hidden.ts'
import { createFile } from '../platform/create-file.ts'

const USAGE = `Usage: npm run keystore -- FILE [--key-file FILE] [--passphrase-file FILE]
  FILE               the keystore to write; it must not exist
  --key-file         a file with the private key to encrypt (64 hex digits); without it, a new key is created
  --passphrase-file  a file with the passphrase; without it, you are asked for it`
const SHORTEST_PASSPHRASE = 12

/** A mistake in running the command; the message says how to correct it. */
class Mistake extends Error {}

async function run(): Promise<void> {
  const [path, options] = readArguments()
  const key = options['key-file'] ? readKey(options['key-file']) : randomBytes(32).toString('hex')
  const passphrase = await passphraseFrom(options['passphrase-file'])
  const { address } = rawKeySigner(key)
  // An existing file is never overwritten: its key would be lost.
  const keystore = await makeKeystore(key, passphrase)
  createFile(path, (file) => writeFileSync(file, `${keystore}\n`))
  const bytes = Buffer.from(address.slice(2), 'hex')
  process.stdout.write(`Tron ${formatTronAddress(bytes)}\nBSC  ${formatEvmAddress(bytes)}\n`)
}

function readArguments() {
  const options = { 'key-file': { type: 'string' }, 'passphrase-file': { type: 'string' } } as const
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true })
    const [path, ...others] = positionals
    if (path !== undefined && others.length === 0) return [path, values] as const
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
  // A file that can't be read or written: the message names it.
  const isExpected = error instanceof Mistake || (error instanceof Error && 'code' in error)
  if (!isExpected) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}
