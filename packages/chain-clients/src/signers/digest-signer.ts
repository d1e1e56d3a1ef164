import type { Hex } from 'viem'

/** A signature with the lower of the two possible values of s, as chains require, and the bit that recovers the key. */
export type RecoverableSignature = { r: Hex; s: Hex; yParity: 0 | 1 }

/** The holder of a key: this process, or a service that signs digests and never reveals the key. */
export type DigestSigner = {
  /** The 20 bytes that Tron and EVM addresses share. */
  address: Hex
  /**
   * May take seconds, so callers must not hold a lock during the call. Two signatures of one digest may differ.
   * @param digest 32 bytes
   * @throws SignerUnavailable, WrongSignature
   */
  signDigest(digest: Hex): Promise<RecoverableSignature>
}

/** The service that holds the key gave no signature. The message never contains a secret. */
export class SignerUnavailable extends Error {
  override name = 'SignerUnavailable'
}

/** The result isn't a signature of the digest by the key of the address. */
export class WrongSignature extends Error {
  override name = 'WrongSignature'
}
