import { type Hex, hexToBytes, keccak256, serializeTransaction } from 'viem'
import type { DigestSigner } from '../signers/digest-signer.ts'

export type EvmCall = {
  /** If omitted, `data` is the code of a new contract. */
  to?: Hex
  data: Hex
  gas: bigint
  gasPrice: bigint
  nonce: number
}

export type SignedEvmCall = { hash: Hex; raw: Uint8Array }

export type EvmSigner = {
  address: Hex
  /**
   * Signs a legacy transaction (with a plain gas price, because BSC has no base fee). Its hash depends on the
   * signature, so the same call signed again may be another transaction.
   * @throws SignerUnavailable, WrongSignature
   */
  sign(call: EvmCall): Promise<SignedEvmCall>
}

export function evmSigner({ address, signDigest }: DigestSigner, chainId: number): EvmSigner {
  return {
    address,
    async sign(call) {
      const transaction = { type: 'legacy', chainId, ...call } as const
      const { r, s, yParity } = await signDigest(keccak256(serializeTransaction(transaction)))
      const signed = serializeTransaction(transaction, { r, s, v: 27n + BigInt(yParity) })
      return { hash: keccak256(signed), raw: hexToBytes(signed) }
    },
  }
}
