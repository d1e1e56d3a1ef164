import type { Engine } from '../core/engine.ts'
import { account, accountNet, accountResource } from './accounts.ts'
import { fromBase58, isHexAddress } from './address.ts'
import {
  blockById,
  blockByNumber,
  blockRange,
  genericBlock,
  latestBlocks,
  nowBlock,
  readInteger,
} from './blocks.ts'
import { broadcast } from './broadcast.ts'
import { buildTransaction } from './build.ts'
import { chainParameters } from './chain-parameters.ts'
import {
  type ContractCall,
  callData,
  constantCall,
  contractInfo,
  contractMetadata,
  estimateEnergy,
  isConstantFunction,
  refusal,
  triggerValue,
} from './contracts.ts'
import { NodeException, readBalance, type View } from './node.ts'
import { burntTrx, nodeInfo, witnesses } from './node-info.ts'
import { BANDWIDTH_PRICE, ENERGY_PRICE } from './parameters.ts'
import {
  type TronTransaction,
  transactionFromBytes,
  transactionFromJson,
  UnsupportedContractError,
} from './transaction.ts'
import {
  transactionById,
  transactionInfoById,
  transactionInfosByBlock,
  unsignedTransaction,
} from './transactions.ts'
import { hexToUtf8, type Json, readAddress, toVisible, utf8ToHex } from './wire.ts'

/** `body` holds the parameters of GET or POST; with `isVisible`, its addresses are already converted to hex. */
export type Call = { view: View; isVisible: boolean; body: Json }
export type Route = (engine: Engine, call: Call) => Promise<unknown>

const addressOf = ({ body }: Call, field = 'address') => readAddress(body[field], false)

/** `getcontract` calls its parameter `value`, so the generic conversion by field name misses it. */
const contractOf = ({ body, isVisible }: Call) => readAddress(body.value, isVisible)

/** Served by both views. */
export const ROUTES: Record<string, Route> = {
  getnowblock: (engine, { view }) => nowBlock(engine, view),
  getblock: (engine, { view, body }) => genericBlock(engine, view, body),
  getblockbynum: (engine, { view, body }) => blockByNumber(engine, view, body.num),
  getblockbyid: (engine, { view, body }) => blockById(engine, view, body.value),
  getblockbylimitnext: (engine, { view, body }) => blockRange(engine, view, body),
  getblockbylatestnum: (engine, { view, body }) => latestBlocks(engine, view, body),
  gettransactioncountbyblocknum: async (engine, { view, body }) => ({
    count: transactionInfosByBlock(engine, view, readInteger(body.num ?? 0)).length,
  }),
  gettransactionbyid: async (engine, { view, body }) => transactionById(engine, view, body.value),
  gettransactioninfobyid: async (engine, { view, body }) =>
    transactionInfoById(engine, view, body.value),
  gettransactioninfobyblocknum: async (engine, { view, body }) =>
    transactionInfosByBlock(engine, view, readInteger(body.num ?? 0)),
  getaccount: (engine, call) => account(engine, call.view, addressOf(call)),
  triggerconstantcontract: (engine, call) => constantCall(engine, call.view, readCall(call)),
  estimateenergy: (engine, call) => estimateEnergy(engine, call.view, readCall(call)),
  listwitnesses: async (engine) => witnesses(engine),
  getburntrx: async (engine) => burntTrx(engine),
  getnodeinfo: async (engine) => nodeInfo(engine),
  getenergyprices: async () => ({ prices: `0:${ENERGY_PRICE}` }),
  getbandwidthprices: async () => ({ prices: `0:${BANDWIDTH_PRICE}` }),
}

/** Served only by the head view. */
export const HEAD_ONLY_ROUTES: Record<string, Route> = {
  getaccountnet: (engine, call) => accountNet(engine, call.view, addressOf(call)),
  getaccountresource: (engine, call) => accountResource(engine, call.view, addressOf(call)),
  getcontract: async (engine, call) => contractMetadata(engine, contractOf(call)),
  getcontractinfo: (engine, call) => contractInfo(engine, contractOf(call)),
  getchainparameters: async () => chainParameters(),
  validateaddress: async (_engine, { body }) => validateAddress(body.address),
  createtransaction: createTransfer,
  triggersmartcontract: triggerContract,
  broadcasttransaction: (engine, { body }) =>
    broadcastRead(engine, () => transactionFromJson(body)),
  broadcasthex: broadcastHex,
  getpendingsize: async (engine) => ({ pendingSize: engine.heldTransactions().length }),
  gettransactionlistfrompending: async (engine) => ({
    txId: engine.heldTransactions().map(({ txID }) => txID),
  }),
  gettransactionfrompending: async (engine, { body }) => {
    const held = engine.heldTransactions().find(({ txID }) => txID === body.value)
    return held ? { ...unsignedTransaction(held), signature: held.signature } : {}
  },
}

async function broadcastRead(engine: Engine, read: () => TronTransaction): Promise<Json> {
  try {
    return await broadcast(engine, read())
  } catch (error) {
    if (!(error instanceof UnsupportedContractError)) throw error
    const message = utf8ToHex(`Contract validate error : ${error.message}`)
    return { code: 'CONTRACT_VALIDATE_ERROR', message }
  }
}

/** Unlike the other calls, it returns everything as text: code, message and the transaction. */
async function broadcastHex(engine: Engine, { body }: Call): Promise<Json> {
  const transaction = transactionFromBytes(readHex(body.transaction))
  const { result = false, code = 'SUCCESS', message = '' } = await broadcast(engine, transaction)
  const { raw_data, signature, txID: txid } = transaction
  return {
    result,
    code,
    txid,
    message: hexToUtf8(`${message}`),
    transaction: JSON.stringify(toVisible({ raw_data, signature })),
  }
}

function readHex(text: unknown): Buffer {
  if (/^([0-9a-fA-F]{2})*$/.test(`${text}`)) return Buffer.from(`${text}`, 'hex')
  throw new NodeException(
    'org.bouncycastle.util.encoders.DecoderException',
    'exception decoding Hex string: invalid characters encountered in Hex string',
  )
}

function readCall(call: Call): ContractCall {
  const { body } = call
  return {
    owner: addressOf(call, 'owner_address'),
    contract: body.contract_address ? addressOf(call, 'contract_address') : undefined,
    data: callData(body),
    callValue: readInteger(body.call_value ?? 0),
  }
}

async function triggerContract(engine: Engine, call: Call): Promise<Json> {
  const { body } = call
  const asked = readCall(call)
  const { contract, data } = asked
  if (!contract || !engine.records.creationOf(contract)) {
    return refusal('CONTRACT_VALIDATE_ERROR', 'No contract or not a valid smart contract')
  }
  if (isConstantFunction(engine, contract, data)) {
    const feeLimit = readInteger(body.fee_limit ?? 0)
    const limit = feeLimit > 0 ? Math.floor(feeLimit / ENERGY_PRICE) : undefined
    return constantCall(engine, 'head', asked, limit)
  }
  const transaction = await buildTransaction(engine, {
    type: 'TriggerSmartContract',
    value: triggerValue(asked),
    feeLimit: body.fee_limit,
    permissionId: body.Permission_id,
  })
  return { result: { result: true }, transaction: unsignedTransaction(transaction) }
}

async function createTransfer(engine: Engine, call: Call): Promise<Json> {
  const { body } = call
  const owner = addressOf(call, 'owner_address')
  const amount = readInteger(body.amount ?? 0)
  const refuse = (message: string) =>
    new NodeException('org.tron.core.exception.ContractValidateException', message)
  if (amount <= 0) throw refuse('Amount must be greater than 0.')
  if ((await readBalance(engine, 'head', owner)) < BigInt(amount)) {
    throw refuse('Validate TransferContract error, balance is not sufficient.')
  }
  const transaction = await buildTransaction(engine, {
    type: 'TransferContract',
    value: { owner_address: owner, to_address: addressOf(call, 'to_address'), amount },
    permissionId: body.Permission_id,
    memo: body.extra_data,
  })
  return unsignedTransaction(transaction)
}

function validateAddress(text: unknown): Json {
  if (isHexAddress(text)) return { result: true, message: 'Hex string format' }
  const isBase58 = typeof text === 'string' && fromBase58(text) !== undefined
  return isBase58
    ? { result: true, message: 'Base58check format' }
    : { result: false, message: 'Invalid address' }
}
