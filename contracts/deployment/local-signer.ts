import { type Hex, serializeSignature } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import type { SignDigest } from './tron-transaction.ts'

/** Signs with a private key in this process's memory. */
export function localSigner(privateKey: Hex): { address: Hex; sign: SignDigest } {
  return {
    address: privateKeyToAddress(privateKey).toLowerCase() as Hex,
    sign: async (hash) => serializeSignature(await sign({ hash, privateKey })),
  }
}
