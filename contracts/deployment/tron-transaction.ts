import { type TronAnchor, tronHex } from '@dct/chain-clients/senders/tron-signer'
import { type DigestSigner, signatureBytes } from '@dct/chain-clients/signers/index'
import { utils } from 'tronweb'
import { bytesToHex, type Hex, keccak256 } from 'viem'
import type { Action } from './steps.ts'

type Transaction = ReturnType<typeof utils.transaction.txJsonToPb>

/**
 * The maximum that the chain allows. It matters only if a contract pays for its callers' energy, which ours never do.
 */
const ORIGIN_ENERGY_LIMIT = 10_000_000
const CALLER_PAYS_PERCENT = 100

/** Builds an unsigned transaction without a node, so that no node can influence what is signed. */
export function buildTransaction(
  action: Action,
  from: Hex,
  options: { anchor: TronAnchor; lifeMs: number; feeLimitSun: number },
): { hash: Hex; expiresAt: Date; message: Transaction } {
  const { anchor, lifeMs, feeLimitSun } = options
  const expiresAt = new Date(anchor.time.getTime() + lifeMs)
  const type = action.kind === 'create' ? 'CreateSmartContract' : 'TriggerSmartContract'
  const message = utils.transaction.txJsonToPb({
    raw_data: {
      contract: [
        {
          parameter: {
            value: contractValue(action, from),
            type_url: `type.googleapis.com/protocol.${type}`,
          },
          type,
        },
      ],
      ref_block_bytes: BigInt.asUintN(16, anchor.blockNumber).toString(16).padStart(4, '0'),
      ref_block_hash: anchor.blockId.slice(16, 32),
      expiration: expiresAt.getTime(),
      timestamp: anchor.time.getTime(),
      fee_limit: feeLimitSun,
    },
  })
  const id = utils.transaction.txPbToTxID(message).replace(/^0x/, '').toLowerCase()
  return { hash: `0x${id}`, expiresAt, message }
}

/** The signed bytes as hex, without 0x. */
export async function signTransaction(
  { hash, message }: Pick<ReturnType<typeof buildTransaction>, 'hash' | 'message'>,
  { signDigest }: DigestSigner,
): Promise<string> {
  message.addSignature(signatureBytes(await signDigest(hash)))
  return bytesToHex(message.serializeBinary()).slice(2)
}

/** The address of the contract that a transaction creates. */
export function createdAddress(hash: Hex, from: Hex): Hex {
  return `0x${keccak256(`${hash}${tronHex(from)}`).slice(-40)}`
}

function contractValue(action: Action, from: Hex) {
  if (action.kind === 'call') {
    return {
      owner_address: tronHex(from),
      contract_address: tronHex(action.contract),
      data: action.data.slice(2),
    }
  }
  return {
    owner_address: tronHex(from),
    new_contract: {
      origin_address: tronHex(from),
      name: action.name,
      abi: JSON.stringify(action.abi),
      bytecode: action.bytecode.slice(2) + action.constructorArguments.slice(2),
      consume_user_resource_percent: CALLER_PAYS_PERCENT,
      origin_energy_limit: ORIGIN_ENERGY_LIMIT,
    },
  }
}
