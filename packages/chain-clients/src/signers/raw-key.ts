import type { Hex } from 'viem'
import { privateKeyToAddress, sign } from 'viem/accounts'
import type { DigestSigner } from './digest-signer.ts'

/**
 * Signs with a private key in this process's memory. One digest always gets the same signature.
 * @param privateKey 64 hex digits, with or without 0x
 */
export function rawKeySigner(privateKey: string): DigestSigner {
  const key: Hex = `0x${privateKey.replace(/^0x/, '')}`
  return {
    address: privateKeyToAddress(key).toLowerCase() as Hex,
    async signDigest(hash) {
      const { r, s, yParity } = await sign({ hash, privateKey: key })
      return { r, s, yParity: yParity === 1 ? 1 : 0 }
    },
  }
}
