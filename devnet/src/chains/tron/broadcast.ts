import { recoverAddress } from 'viem'
import type { Engine } from '../core/engine.ts'
import { fromEvm, type HexAddress, isHexAddress, toBase58 } from './address.ts'
import { blockIdOf, referenceTo } from './block-id.ts'
import { isContract } from './contracts.ts'
import { accountExists, balanceOf } from './execute.ts'
import { readBlock } from './node.ts'
import {
  MAX_EXPIRATION_MS,
  MAX_FEE_LIMIT,
  MAX_TRANSACTION_BYTES,
  NEW_ACCOUNT_FEE,
  NEW_ACCOUNT_NET_FEE,
} from './parameters.ts'
import type {
  CreateValue,
  TransferValue,
  TriggerValue,
  TronContract,
  TronTransaction,
} from './transaction.ts'
import { wireSize } from './transaction.ts'
import { type Json, utf8ToHex } from './wire.ts'

const PREFIXES = {
  SIGERROR: 'Validate signature error: ',
  CONTRACT_VALIDATE_ERROR: 'Contract validate error : ',
  TAPOS_ERROR: '',
  TRANSACTION_EXPIRATION_ERROR: '',
  DUP_TRANSACTION_ERROR: '',
  TOO_BIG_TRANSACTION_ERROR: '',
  BANDWITH_ERROR: '',
} as const

/** Why a node does not take a transaction. */
class BroadcastRefusal extends Error {
  override name = 'BroadcastRefusal'
  readonly code: keyof typeof PREFIXES
  constructor(code: keyof typeof PREFIXES, message: string) {
    super(`${PREFIXES[code]}${message}`)
    this.code = code
  }
}

const invalid = (message: string) => new BroadcastRefusal('CONTRACT_VALIDATE_ERROR', message)

/** Only the owner's own key can sign here: nobody changes permissions on a development chain. */
const OWN_PERMISSIONS = [0, 2]
const SIGNATURE_BYTES = 65
const MOST_SIGNATURE_BYTES = 68
/** As many blocks as the two reference bytes can tell apart. */
const REFERENCE_BLOCKS = 0x1_0000

/** Takes a signed transaction as a node does: into a block, or with the reason why not. */
export function broadcast(engine: Engine, transaction: TronTransaction): Promise<Json> {
  const { txID: txid } = transaction
  return engine.nodes.tron.lock.run(async () => {
    try {
      await validate(engine, transaction)
    } catch (error) {
      if (!(error instanceof BroadcastRefusal)) throw error
      return { code: error.code, txid, message: utf8ToHex(error.message) }
    }
    await engine.acceptTron(transaction)
    // Success is the default code, and defaults are left out.
    return { result: true, txid }
  })
}

/** The checks of a node, in its order. */
async function validate(engine: Engine, transaction: TronTransaction): Promise<void> {
  const { raw_data: rawData, txID } = transaction
  const contract = rawData.contract[0] as TronContract | undefined
  if (rawData.contract.length !== 1 || !contract) {
    throw invalid('act size should be exactly 1, this is extend feature')
  }
  await validateSignature(transaction, contract)
  await validateReference(engine, rawData)
  if (wireSize(transaction) > MAX_TRANSACTION_BYTES) {
    throw new BroadcastRefusal('TOO_BIG_TRANSACTION_ERROR', 'Transaction size is too big.')
  }
  const headMs = engine.nodes.tron.head().timestamp * 1000
  const { expiration = 0 } = rawData
  if (expiration <= headMs || expiration > headMs + MAX_EXPIRATION_MS) {
    throw new BroadcastRefusal('TRANSACTION_EXPIRATION_ERROR', 'Transaction expired')
  }
  if (engine.records.find(txID) || engine.isHeld(txID)) {
    throw new BroadcastRefusal('DUP_TRANSACTION_ERROR', 'Dup transaction.')
  }
  await validateContract(engine, contract, rawData.fee_limit ?? 0)
}

async function validateSignature(
  { txID, signature }: TronTransaction,
  contract: TronContract,
): Promise<void> {
  const sigError = (message: string) => new BroadcastRefusal('SIGERROR', message)
  const owner = contract.parameter.value.owner_address
  if (signature.length === 0) throw sigError('miss sig or contract')
  const permissionId = contract.Permission_id ?? 0
  if (!OWN_PERMISSIONS.includes(permissionId)) throw sigError("permission isn't exit")
  if (signature.length > 1)
    throw sigError(`Signature count is ${signature.length} more than key counts of permission : 1`)
  const [only = ''] = signature
  const bytes = only.length / 2
  if (bytes < SIGNATURE_BYTES || bytes > MOST_SIGNATURE_BYTES) {
    throw sigError(`Signature size is ${bytes}`)
  }
  const signer = await recoverSigner(txID, only)
  if (!signer) throw sigError('Signature is malformed')
  if (signer !== owner) {
    throw sigError(
      `${only} is signed by ${toBase58(signer)} but it is not contained of permission.`,
    )
  }
}

async function recoverSigner(txId: string, signature: string): Promise<HexAddress | undefined> {
  try {
    const hex = `0x${signature.slice(0, SIGNATURE_BYTES * 2)}` as const
    return fromEvm(await recoverAddress({ hash: `0x${txId}`, signature: hex }))
  } catch {
    // Whatever cannot be a signature is answered as one that does not fit.
    return undefined
  }
}

/** The transaction must name a recent block of this very chain. */
async function validateReference(
  engine: Engine,
  rawData: TronTransaction['raw_data'],
): Promise<void> {
  const head = engine.nodes.tron.head().number
  const low = Number.parseInt(rawData.ref_block_bytes || '0', 16)
  const height = head - ((head - low) & (REFERENCE_BLOCKS - 1))
  const block = height < 0 ? undefined : await readBlock(engine, height)
  if (!block || referenceTo(blockIdOf(block)).ref_block_hash !== rawData.ref_block_hash) {
    throw new BroadcastRefusal('TAPOS_ERROR', 'Tapos check error.')
  }
}

async function validateContract(
  engine: Engine,
  contract: TronContract,
  feeLimit: number,
): Promise<void> {
  const owner = contract.parameter.value.owner_address
  if (!isHexAddress(owner)) throw invalid('Invalid ownerAddress!')
  if (!(await accountExists(engine.nodes.tron.rpc, owner))) {
    throw invalid(`account [${toBase58(owner)}] does not exist`)
  }
  switch (contract.type) {
    case 'TransferContract':
      return validateTransfer(engine, contract.parameter.value)
    case 'TriggerSmartContract':
      return validateTrigger(engine, contract.parameter.value, feeLimit)
    case 'CreateSmartContract':
      return validateCreate(engine, contract.parameter.value, feeLimit)
  }
}

async function validateTransfer(engine: Engine, value: TransferValue): Promise<void> {
  const { owner_address: owner, to_address: to, amount = 0 } = value
  const { rpc } = engine.nodes.tron
  if (!isHexAddress(to)) throw invalid('Invalid toAddress!')
  if (to === owner) throw invalid('Cannot transfer TRX to yourself.')
  if (amount <= 0) throw invalid('Amount must be greater than 0.')
  if (await isContract(engine, to)) throw invalid('Cannot transfer TRX to a smartContract.')
  const newAccountFee = (await accountExists(rpc, to)) ? 0 : NEW_ACCOUNT_FEE + NEW_ACCOUNT_NET_FEE
  if ((await balanceOf(rpc, owner)) < BigInt(amount) + BigInt(newAccountFee)) {
    throw invalid('Validate TransferContract error, balance is not sufficient.')
  }
}

async function validateTrigger(
  engine: Engine,
  value: TriggerValue,
  feeLimit: number,
): Promise<void> {
  const { owner_address: owner, contract_address: contract, call_value: callValue = 0 } = value
  const exists = isHexAddress(contract) && (await isContract(engine, contract))
  if (!exists) throw invalid('No contract or not a smart contract')
  await validateCallValue(engine, { owner, callValue, feeLimit })
}

async function validateCreate(engine: Engine, value: CreateValue, feeLimit: number): Promise<void> {
  const { owner_address: owner, new_contract: contract } = value
  if (contract?.origin_address !== owner) {
    throw invalid('OwnerAddress is not equals OriginAddress')
  }
  if (!contract.bytecode) throw invalid('Cannot create a contract without code')
  const percent = contract.consume_user_resource_percent ?? 0
  if (percent < 0 || percent > 100) throw invalid('percent must be >= 0 and <= 100')
  await validateCallValue(engine, { owner, callValue: contract.call_value ?? 0, feeLimit })
}

async function validateCallValue(
  engine: Engine,
  call: { owner: HexAddress; callValue: number; feeLimit: number },
): Promise<void> {
  const { owner, callValue, feeLimit } = call
  if (feeLimit < 0 || feeLimit > MAX_FEE_LIMIT) {
    throw invalid(`feeLimit must be >= 0 and <= ${MAX_FEE_LIMIT}`)
  }
  if (callValue < 0) throw invalid('callValue must be >= 0')
  if ((await balanceOf(engine.nodes.tron.rpc, owner)) < BigInt(callValue)) {
    throw invalid('Validate InternalTransfer error, balance is not sufficient.')
  }
}
