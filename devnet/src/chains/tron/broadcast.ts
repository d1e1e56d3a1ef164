import { recoverAddress } from 'viem'
import type { Engine } from '../core/engine.ts'
import { usedBandwidth } from './accounts.ts'
import { fromEvm, type HexAddress, isHexAddress, toBase58 } from './address.ts'
import { billBandwidth, chargedBytes } from './bandwidth.ts'
import { blockIdOf, referenceTo } from './block-id.ts'
import { isContract } from './contracts.ts'
import { readBalance, readBlock, stateTag } from './node.ts'
import {
  MAX_EXPIRATION_MS,
  MAX_FEE_LIMIT,
  MAX_TRANSACTION_BYTES,
  NEW_ACCOUNT_FEE,
} from './parameters.ts'
import { accountExists, createsAccount } from './state.ts'
import {
  type CreateValue,
  type TransferValue,
  type TriggerValue,
  type TronContract,
  type TronTransaction,
  wireSize,
} from './transaction.ts'
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

/** The reason why a node refuses a transaction. */
class BroadcastRefusal extends Error {
  override name = 'BroadcastRefusal'
  readonly code: keyof typeof PREFIXES
  constructor(code: keyof typeof PREFIXES, message: string) {
    super(`${PREFIXES[code]}${message}`)
    this.code = code
  }
}

const invalid = (message: string) => new BroadcastRefusal('CONTRACT_VALIDATE_ERROR', message)

/** Only the owner's own key can sign, because permissions cannot be changed on the development chain. */
const OWN_PERMISSIONS = [0, 2]
const SIGNATURE_BYTES = 65
const MOST_SIGNATURE_BYTES = 68
/** The number of blocks that the two reference bytes can distinguish. */
const REFERENCE_BLOCKS = 0x1_0000

/** Accepts a signed transaction for a block, or returns the node's reason for the refusal. */
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
    // Success is the default code, and defaults are omitted.
    return { result: true, txid }
  })
}

/** A node's checks, in the same order. */
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
  const isHeld = engine.heldTransactions().some((held) => held.txID === txID)
  if (engine.records.find(txID) || isHeld) {
    throw new BroadcastRefusal('DUP_TRANSACTION_ERROR', 'Dup transaction.')
  }
  const balance = await validateBandwidth(engine, transaction, contract)
  await validateContract(engine, contract, { feeLimit: rawData.fee_limit ?? 0, balance })
}

/** @returns the owner's TRX after paying for bandwidth, which comes first */
async function validateBandwidth(
  engine: Engine,
  transaction: TronTransaction,
  contract: TronContract,
): Promise<bigint> {
  const { owner_address: owner } = contract.parameter.value
  if (!isHexAddress(owner)) throw invalid('Invalid ownerAddress!')
  if (!(await exists(engine, owner))) throw invalid(`account [${toBase58(owner)}] does not exist`)
  const balance = await readBalance(engine, 'head', owner)
  const bill = billBandwidth({
    bytes: chargedBytes(transaction),
    usedBytes: usedBandwidth(engine, owner),
    balance,
    makesAccount: await createsAccount(engine.nodes.tron.rpc, contract, stateTag(engine, 'head')),
  })
  if (bill) return balance - BigInt(bill.netFee)
  throw new BroadcastRefusal('BANDWITH_ERROR', 'Account resource insufficient error.')
}

function exists(engine: Engine, account: HexAddress): Promise<boolean> {
  return accountExists(engine.nodes.tron.rpc, account, stateTag(engine, 'head'))
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
    // A malformed signature gets the same answer as a wrong one.
    return undefined
  }
}

/** The transaction must refer to a recent block of this chain. */
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

type AvailableFunds = { feeLimit: number; balance: bigint }

async function validateContract(
  engine: Engine,
  contract: TronContract,
  funds: AvailableFunds,
): Promise<void> {
  switch (contract.type) {
    case 'TransferContract':
      return validateTransfer(engine, contract.parameter.value, funds)
    case 'TriggerSmartContract':
      return validateTrigger(engine, contract.parameter.value, funds)
    case 'CreateSmartContract':
      return validateCreate(contract.parameter.value, funds)
  }
}

async function validateTransfer(
  engine: Engine,
  value: TransferValue,
  { balance }: AvailableFunds,
): Promise<void> {
  const { owner_address: owner, to_address: to, amount = 0 } = value
  if (!isHexAddress(to)) throw invalid('Invalid toAddress!')
  if (to === owner) throw invalid('Cannot transfer TRX to yourself.')
  if (amount <= 0) throw invalid('Amount must be greater than 0.')
  if (await isContract(engine, to, stateTag(engine, 'head'))) {
    throw invalid('Cannot transfer TRX to a smartContract.')
  }
  const newAccountFee = (await exists(engine, to)) ? 0 : NEW_ACCOUNT_FEE
  if (balance < BigInt(amount) + BigInt(newAccountFee)) {
    throw invalid('Validate TransferContract error, balance is not sufficient.')
  }
}

async function validateTrigger(
  engine: Engine,
  value: TriggerValue,
  funds: AvailableFunds,
): Promise<void> {
  const { contract_address: contract, call_value: callValue = 0 } = value
  const isThere =
    isHexAddress(contract) && (await isContract(engine, contract, stateTag(engine, 'head')))
  if (!isThere) throw invalid('No contract or not a smart contract')
  validateCallValue(callValue, funds)
}

function validateCreate(value: CreateValue, funds: AvailableFunds): void {
  const { owner_address: owner, new_contract: contract } = value
  if (contract?.origin_address !== owner) {
    throw invalid('OwnerAddress is not equals OriginAddress')
  }
  if (!contract.bytecode) throw invalid('Cannot create a contract without code')
  const percent = contract.consume_user_resource_percent ?? 0
  if (percent < 0 || percent > 100) throw invalid('percent must be >= 0 and <= 100')
  validateCallValue(contract.call_value ?? 0, funds)
}

function validateCallValue(callValue: number, { feeLimit, balance }: AvailableFunds): void {
  if (feeLimit < 0 || feeLimit > MAX_FEE_LIMIT) {
    throw invalid(`feeLimit must be >= 0 and <= ${MAX_FEE_LIMIT}`)
  }
  if (callValue < 0) throw invalid('callValue must be >= 0')
  if (balance < BigInt(callValue)) {
    throw invalid('Validate InternalTransfer error, balance is not sufficient.')
  }
}
