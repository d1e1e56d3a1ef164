import { TronWeb } from 'tronweb'
import { privateKeyToAccount } from 'viem/accounts'
import type { DemoAccount } from './devnet-api.ts'

const KEY = /^(?:0x)?([0-9a-fA-F]{64})$/

/** The 64 hex digits of a private key. @throws RangeError for anything else */
export function readPrivateKey(text: string): string {
  const digits = KEY.exec(text.trim())?.[1]
  if (digits === undefined) throw new RangeError('A private key has 64 hex digits')
  return digits.toLowerCase()
}

/** An imported account: one key for both chains, like the demo accounts. */
export function importedAccount(privateKey: string): DemoAccount {
  const address = TronWeb.address.fromPrivateKey(privateKey)
  if (!address) throw new RangeError('This is not a private key')
  const bscPrivateKey = `0x${privateKey}` as const
  return {
    name: 'Imported',
    role: 'imported',
    tron_address: address,
    tron_private_key: privateKey,
    bsc_address: privateKeyToAccount(bscPrivateKey).address,
    bsc_private_key: bscPrivateKey,
  }
}
