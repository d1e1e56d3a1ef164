import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { privateKeyToAccount } from 'viem/accounts'
import { fromEvm, toBase58 } from '../tron/address.ts'

/** A private key with its addresses on both chains. */
export type KeyPair = {
  /** `T…` */
  tronAddress: string
  /** 64 hex digits, the form that TronWeb expects. */
  tronPrivateKey: string
  /** With checksum capitalisation. */
  bscAddress: `0x${string}`
  bscPrivateKey: `0x${string}`
}

export type DemoAccount = KeyPair & { name: string; role: 'admin' | 'holder' }

/** The service's own keys: random in every data folder, never those of demo accounts. */
export type ServiceKeys = {
  /** Owns and deploys the contracts, and mints the development tokens. */
  owner: KeyPair
  /** The server's key on Tron. */
  operator: KeyPair
  /** The wallet that pays out USDT on BSC. */
  payout: KeyPair
  /** Receives the fees. Its key is discarded, because the service needs only the address. */
  feeReceiver: { bscAddress: `0x${string}` }
}

const DEMO_SEED = 'DCT Earning development account'
const DEMO_NAMES = [
  { name: 'Admin', role: 'admin' },
  { name: 'Holder 1 (Ayu)', role: 'holder' },
  { name: 'Holder 2 (Budi)', role: 'holder' },
  { name: 'Holder 3 (Citra)', role: 'holder' },
  { name: 'Holder 4 (Dewi)', role: 'holder' },
  { name: 'Holder 5 (Eko)', role: 'holder' },
  { name: 'Holder 6 (Fitri)', role: 'holder' },
] as const

/** The same accounts on every machine, derived by sha256 from the seed and a number. Never use them with real funds. */
export const DEMO_ACCOUNTS: readonly DemoAccount[] = DEMO_NAMES.map((named, index) => {
  const hash = createHash('sha256').update(`${DEMO_SEED} ${index}`).digest('hex')
  return { ...named, ...keyPairOf(`0x${hash}`) }
})

export function keyPairOf(privateKey: `0x${string}`): KeyPair {
  const { address } = privateKeyToAccount(privateKey)
  return {
    tronAddress: toBase58(fromEvm(address)),
    tronPrivateKey: privateKey.slice(2),
    bscAddress: address,
    bscPrivateKey: privateKey,
  }
}

const FILE = 'service-keys.json'

/** Reads the folder's keys, or creates them on the first start; only the file's owner may read them. */
export function loadServiceKeys(dir: string): ServiceKeys {
  const path = join(dir, FILE)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as ServiceKeys
  const keys: ServiceKeys = {
    owner: randomKeyPair(),
    operator: randomKeyPair(),
    payout: randomKeyPair(),
    feeReceiver: { bscAddress: randomKeyPair().bscAddress },
  }
  writeFileSync(path, `${JSON.stringify(keys, undefined, 2)}\n`, { mode: 0o600 })
  return keys
}

function randomKeyPair(): KeyPair {
  return keyPairOf(`0x${randomBytes(32).toString('hex')}`)
}
