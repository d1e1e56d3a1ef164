import { setTimeout as sleep } from 'node:timers/promises'
import { type DigestSigner, rawKeySigner } from '@dct/chain-clients/signers/index'
import { setSignEntropy } from 'viem/accounts'

const THINKS_MS = 40

/**
 * A key as at a key service: it takes its time, and signs the same digest differently each time, as does every other key
 * of this process from now on.
 */
export function remoteKey(privateKey: string): DigestSigner {
  setSignEntropy(true)
  const { address, signDigest } = rawKeySigner(privateKey)
  return {
    address,
    async signDigest(digest) {
      await sleep(THINKS_MS)
      return signDigest(digest)
    },
  }
}
