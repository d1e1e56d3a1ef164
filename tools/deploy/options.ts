import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import {
  type DigestSigner,
  KeystoreError,
  openKeystore,
  rawKeySigner,
} from '@dct/chain-clients/signers/index'
import { isKeystore } from '@dct/chain-clients/signers/keystore-format'
import { isTronAddress, parseEvmAddress } from '@dct/rules/addresses'
import { askHidden } from '../../apps/server/src/platform/ask-hidden.ts'
import { ask, DeployError } from './terminal.ts'

const NETWORKS = ['nile', 'shasta', 'mainnet', 'private'] as const
export type Network = (typeof NETWORKS)[number]

const FLAGS = {
  network: { type: 'string' },
  node: { type: 'string' },
  'json-rpc': { type: 'string' },
  'api-key-file': { type: 'string' },
  'key-file': { type: 'string' },
  'passphrase-file': { type: 'string' },
  token: { type: 'string' },
  'test-token': { type: 'boolean', default: false },
  operator: { type: 'string' },
  owner: { type: 'string' },
  usdt: { type: 'string' },
  'vault-owner': { type: 'string' },
  'vault-operator': { type: 'string' },
  'daily-limit': { type: 'string' },
  'max-daily-percent': { type: 'string' },
  'min-days': { type: 'string' },
  state: { type: 'string' },
  settings: { type: 'string' },
  out: { type: 'string' },
  yes: { type: 'boolean', default: false },
} as const

export type Flags = ReturnType<typeof readFlags>['flags']

export const USAGE = `usage: npm run deploy -- [deploy|accept|vault|status|verify] [options]
  deploy   deploys the contracts on Tron, or continues where it stopped (the default)
  accept   accepts the reward pool for its owner: --key-file names the owner's key
  vault    deploys the vault of referral payouts on BSC, or continues where it stopped
  status   shows what was done so far; needs no key
  verify   writes what an explorer needs to verify the sources
options; at a terminal, you are asked for missing ones:
  --network nile|shasta|mainnet|private   --node URL   [--json-rpc URL]   [--api-key-file FILE]
  --key-file FILE (pays for everything; a keystore or 64 hex digits)   [--passphrase-file FILE]
  --token T… | --test-token   --operator T…   --owner T… (cold)
  [--max-daily-percent 0.5]   [--min-days 30]
  vault: --usdt 0x…   --vault-owner 0x… (cold)   --vault-operator 0x…   --daily-limit 1000
  [--state FILE]   [--settings FILE]   [--out FOLDER]   [--yes]`

/** @throws DeployError with the usage for an unknown option */
export function readFlags(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: FLAGS,
      allowPositionals: true,
    })
    return { command: positionals[0] ?? 'deploy', flags: values }
  } catch (error) {
    throw new DeployError(`${(error as Error).message}\n${USAGE}`, { cause: error })
  }
}

/**
 * An option's value; asks for a missing one. @throws DeployError if it is invalid, or missing and nobody can be asked
 */
export async function required(flags: Flags, name: keyof typeof QUESTIONS): Promise<string> {
  const { question, check, expects } = QUESTIONS[name]
  const value = flags[name] ?? (await ask(question, `--${name} is missing: ${expects}.`))
  if (check(value)) return value
  throw new DeployError(`--${name} is not valid: ${expects}.`)
}

const address = { check: isTronAddress, expects: 'a Tron address (T…)' }
const bscAddress = {
  check: (value: string) => parseEvmAddress(value) !== undefined,
  expects: 'a BSC address (0x…)',
}
const QUESTIONS = {
  network: {
    question: `Network (${NETWORKS.join(', ')})?`,
    check: (value: string) => NETWORKS.some((network) => network === value),
    expects: `one of ${NETWORKS.join(', ')}`,
  },
  node: {
    question: 'Address of a full node (serves /wallet and /walletsolidity)?',
    check: (value: string) => /^https?:$/.test(URL.parse(value)?.protocol ?? ''),
    expects: 'an http(s) address',
  },
  'key-file': {
    question: 'File with the private key that pays for the deployment?',
    check: (value: string) => value !== '',
    expects: 'a file with a keystore or 64 hex digits',
  },
  token: { question: 'Address of the token that holders lock?', ...address },
  operator: { question: "Address of the server's key on Tron (operator)?", ...address },
  owner: { question: 'Cold address that will own the contracts?', ...address },
  usdt: { question: 'Address of USDT on BSC?', ...bscAddress },
  'vault-owner': { question: 'Cold address that will own the vault?', ...bscAddress },
  'vault-operator': { question: "Address of the server's key on BSC?", ...bscAddress },
  'daily-limit': {
    question: 'The most USDT that may leave the vault per day?',
    check: (value: string) => /^\d{1,12}$/.test(value),
    expects: 'whole USDT',
  },
}

const OF_OTHERS = 0o077

/**
 * Opens the key that `--key-file` names: a keystore or an unencrypted private key, in a file that only its owner may
 * read. @throws DeployError, which never shows the key
 */
export async function openKey(flags: Flags): Promise<DigestSigner> {
  const path = await required(flags, 'key-file')
  const text = readSecret(path)
  if (process.platform !== 'win32' && (statSync(path).mode & OF_OTHERS) !== 0) {
    throw new DeployError(`${path} can be read by other users: chmod 600 it.`)
  }
  if (isKeystore(text)) return unlock(flags, path, text)
  if (/^(?:0x)?[0-9a-fA-F]{64}$/.test(text)) return rawKeySigner(text)
  throw new DeployError(
    `${path} must contain a keystore or exactly one private key (64 hex digits).`,
  )
}

async function unlock(flags: Flags, path: string, keystore: string): Promise<DigestSigner> {
  const file = flags['passphrase-file']
  const passphrase = file ? readSecret(file) : await askHidden(`Passphrase of ${path}:`)
  if (passphrase === undefined) {
    throw new DeployError(`--passphrase-file is missing: it is needed to open ${path}.`)
  }
  try {
    return await openKeystore(keystore, passphrase)
  } catch (error) {
    if (!(error instanceof KeystoreError)) throw error
    throw new DeployError(`${path}: ${error.message}`, { cause: error })
  }
}

/** @throws DeployError if the file cannot be read */
export function readSecret(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new DeployError(`${path} cannot be read.`, { cause })
  }
}
