import { type Hex, hexToBytes, keccak256 } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'

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
  /** Signs a legacy transaction (with a plain gas price, because BSC has no base fee). Deterministic. */
  sign(call: EvmCall): Promise<SignedEvmCall>
}

/** @param privateKey 64 hex digits */
export function evmSigner(privateKey: string, chainId: number): EvmSigner {
  const account = privateKeyToAccount(`0x${privateKey}`)
  return {
    address: account.address.toLowerCase() as Hex,
    async sign(call) {
      const signed = await account.signTransaction({ type: 'legacy', chainId, ...call })
      return { hash: keccak256(signed), raw: hexToBytes(signed) }
    },
  }
}
