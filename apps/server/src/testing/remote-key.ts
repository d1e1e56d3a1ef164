import { setTimeout as sleep } from 'node:timers/promises'
import { type DigestSigner, rawKeySigner } from '@dct/chain-clients/signers/index'
import { setSignEntropy } from 'viem/accounts'

const THINKS_MS = 40

/**
 * A key like one at a key service: signing takes time, and yields a different signature of the same digest each time.
 * From then on, so does every other key of this process.
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
