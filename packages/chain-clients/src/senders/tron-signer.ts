import type { Hex } from 'viem'
import type { DigestSigner } from '../signers/digest-signer.ts'
import { signatureBytes } from '../signers/signature.ts'

/** A solidified block that a new transaction refers to, so that no fork can invalidate it. */
export type TronAnchor = { blockNumber: bigint; blockId: string; time: Date }

export type TronCall = { contract: Hex; data: Hex; feeLimitSun: bigint }

export type SignedTronCall = {
  hash: Hex
  /** The whole signed transaction, in the form that `wallet/broadcasthex` takes. */
  raw: Uint8Array
  /** No block with this time or later can contain the transaction. */
  expiresAt: Date
}

export type TronSigner = {
  /** The 20 bytes that Tron and EVM addresses share. */
  address: Hex
  /**
   * Builds and signs a call without asking a node. The same input gives the same hash; `salt` (milliseconds) makes
   * attempts on one anchor differ.
   * @throws SignerUnavailable, WrongSignature
   */
  sign(
    call: TronCall,
    anchor: TronAnchor,
    options: { lifeMs: number; salt: number },
  ): Promise<SignedTronCall>
}

export function tronSigner({ address, signDigest }: DigestSigner): TronSigner {
  return {
    address,
    async sign(call, anchor, { lifeMs, salt }) {
      // The library takes 40 MB of memory, so only processes that sign load it.
      const { utils } = await import('tronweb')
      const expiresAt = new Date(anchor.time.getTime() + lifeMs)
      const message = utils.transaction.txJsonToPb({
        raw_data: {
          contract: [
            {
              parameter: {
                value: {
                  owner_address: tronHex(address),
                  contract_address: tronHex(call.contract),
                  data: call.data.slice(2),
                },
                type_url: 'type.googleapis.com/protocol.TriggerSmartContract',
              },
              type: 'TriggerSmartContract',
            },
          ],
          ref_block_bytes: BigInt.asUintN(16, anchor.blockNumber).toString(16).padStart(4, '0'),
          ref_block_hash: anchor.blockId.slice(16, 32),
          expiration: expiresAt.getTime(),
          timestamp: anchor.time.getTime() + salt,
          fee_limit: Number(call.feeLimitSun),
        },
      })
      const id = utils.transaction.txPbToTxID(message).replace(/^0x/, '').toLowerCase()
      const hash: Hex = `0x${id}`
      message.addSignature(signatureBytes(await signDigest(hash)))
      return { hash, raw: message.serializeBinary(), expiresAt }
    },
  }
}

/** An address in Tron's form: with the prefix 41, and without 0x. */
export function tronHex(address: Hex): string {
  return `41${address.slice(2).toLowerCase()}`
}
