/**
 * The possible replies of a Tron node as JSON Schema: our own summary of the calls that the gateway serves. A call's
 * schema covers all its outcomes, because a node omits every field with its default value. An `Error` can replace any
 * reply.
 */

type Schema = Readonly<Record<string, unknown>>
type Fields = Readonly<Record<string, Schema>>

const text = { type: 'string' }
const flag = { type: 'boolean' }
const whole = { type: 'integer' }
const number = { type: 'number' }
const list = (items: Schema): Schema => ({ type: 'array', items })
const oneOf = (...values: string[]): Schema => ({ enum: values })
const hex = (bytes?: number): Schema => ({
  type: 'string',
  pattern: bytes === undefined ? '^([0-9a-f]{2})*$' : `^[0-9a-f]{${bytes * 2}}$`,
})
/** As hex, or as `T…` if the caller set `visible`. */
const address = { type: 'string', pattern: '^(41[0-9a-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$' }

/** An object without other fields, of which those in `always` are required. */
function record(fields: Fields, always: readonly string[] = []): Schema {
  return { type: 'object', properties: fields, required: always, additionalProperties: false }
}

const RESULTS = oneOf(
  ...['DEFAULT', 'SUCCESS', 'REVERT', 'BAD_JUMP_DESTINATION', 'OUT_OF_MEMORY'],
  ...['PRECOMPILED_CONTRACT', 'STACK_TOO_SMALL', 'STACK_TOO_LARGE', 'ILLEGAL_OPERATION'],
  ...['STACK_OVERFLOW', 'OUT_OF_ENERGY', 'OUT_OF_TIME', 'JVM_STACK_OVER_FLOW', 'UNKNOWN'],
  ...['TRANSFER_FAILED', 'INVALID_CODE'],
)
const REFUSALS = oneOf(
  ...['SUCCESS', 'SIGERROR', 'CONTRACT_VALIDATE_ERROR', 'CONTRACT_EXE_ERROR', 'BANDWITH_ERROR'],
  ...['DUP_TRANSACTION_ERROR', 'TAPOS_ERROR', 'TOO_BIG_TRANSACTION_ERROR'],
  ...['TRANSACTION_EXPIRATION_ERROR', 'SERVER_BUSY', 'NO_CONNECTION'],
  ...['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'BLOCK_UNSOLIDIFIED', 'OTHER_ERROR'],
)

const transferValue = record({ owner_address: address, to_address: address, amount: whole })
const callValue = record({
  ...{ owner_address: address, contract_address: address, data: hex(), call_value: whole },
  ...{ token_id: whole, call_token_value: whole },
})
const rawData = record(
  {
    ref_block_bytes: hex(2),
    ref_block_hash: hex(8),
    expiration: whole,
    timestamp: whole,
    fee_limit: whole,
    data: hex(),
    contract: list(
      record(
        {
          type: text,
          parameter: record({
            type_url: text,
            value: { anyOf: [transferValue, callValue, { type: 'object' }] },
          }),
          Permission_id: whole,
        },
        ['type', 'parameter'],
      ),
    ),
  },
  ['ref_block_bytes', 'ref_block_hash', 'expiration', 'contract'],
)
const transaction = record({
  txID: hex(32),
  raw_data: rawData,
  raw_data_hex: hex(),
  signature: list(hex(65)),
  ret: list(record({ ret: oneOf('SUCESS', 'FAILED'), contractRet: RESULTS, fee: whole })),
  visible: flag,
  contract_address: address,
})
const block = record({
  blockID: hex(32),
  block_header: record({
    raw_data: record({
      ...{ number: whole, timestamp: whole, version: whole, witness_id: whole },
      ...{ txTrieRoot: hex(32), parentHash: hex(32), accountStateRoot: hex(32) },
      witness_address: address,
    }),
    witness_signature: hex(65),
  }),
  transactions: list(transaction),
})
/** Without the address prefix. */
const log = record({ address: hex(20), topics: list(hex(32)), data: hex() })
const internal = record({
  ...{ hash: hex(32), caller_address: address, transferTo_address: address, note: hex() },
  ...{ callValueInfo: list({ type: 'object' }), rejected: flag, extra: text },
})
const receipt = record({
  id: hex(32),
  fee: whole,
  blockNumber: whole,
  blockTimeStamp: whole,
  contractResult: list(hex()),
  contract_address: address,
  receipt: record({
    ...{ energy_usage: whole, energy_fee: whole, origin_energy_usage: whole },
    ...{ energy_usage_total: whole, energy_penalty_total: whole },
    ...{ net_usage: whole, net_fee: whole, result: RESULTS },
  }),
  log: list(log),
  result: oneOf('SUCESS', 'FAILED'),
  resMessage: hex(),
  internal_transactions: list(internal),
  packingFee: whole,
})

const permission = record({
  ...{ type: oneOf('Owner', 'Witness', 'Active'), id: whole, permission_name: text },
  ...{ threshold: whole, parent_id: whole, operations: hex(32) },
  keys: list(record({ address, weight: whole })),
})
const frozen = record({ frozen_balance: whole, expire_time: whole })
const account = record({
  ...{ account_name: text, account_id: text, type: oneOf('Normal', 'AssetIssue', 'Contract') },
  ...{ address, balance: whole, create_time: whole, allowance: whole, is_witness: flag },
  ...{ latest_opration_time: whole, latest_withdraw_time: whole, latest_consume_time: whole },
  ...{ latest_consume_free_time: whole, net_usage: whole, free_net_usage: whole },
  ...{ net_window_size: whole, net_window_optimized: flag, asset_optimized: flag },
  account_resource: record({
    ...{ energy_usage: whole, energy_window_size: whole, energy_window_optimized: flag },
    ...{ frozen_balance_for_energy: frozen, latest_consume_time_for_energy: whole },
    ...{ delegated_frozenV2_balance_for_energy: whole },
    ...{ acquired_delegated_frozenV2_balance_for_energy: whole },
  }),
  frozen: list(frozen),
  frozenV2: list(record({ type: oneOf('BANDWIDTH', 'ENERGY', 'TRON_POWER'), amount: whole })),
  votes: list(record({ vote_address: address, vote_count: whole })),
  owner_permission: permission,
  witness_permission: permission,
  active_permission: list(permission),
})
const bandwidth = {
  ...{ freeNetUsed: whole, freeNetLimit: whole, NetUsed: whole, NetLimit: whole },
  ...{ TotalNetLimit: whole, TotalNetWeight: whole },
}
const parameter = record({ indexed: flag, name: text, type: text })
const contract = record({
  ...{ origin_address: address, contract_address: address, bytecode: hex(), call_value: whole },
  ...{ consume_user_resource_percent: whole, name: text, origin_energy_limit: whole },
  ...{ code_hash: hex(32), trx_hash: hex(32), version: whole },
  abi: record({
    entrys: list(
      record({
        ...{ anonymous: flag, constant: flag, payable: flag, name: text },
        ...{ inputs: list(parameter), outputs: list(parameter) },
        type: oneOf(
          ...['Constructor', 'Function', 'Event', 'Fallback', 'Receive', 'Error'],
          'UnknownEntryType',
        ),
        stateMutability: oneOf('Pure', 'View', 'Nonpayable', 'Payable'),
      }),
    ),
  }),
})
const outcome = record({ result: flag, code: REFUSALS, message: hex() })
const called = record({
  ...{ transaction, txid: hex(32), result: outcome, energy_used: whole, energy_penalty: whole },
  ...{ constant_result: list(hex()), logs: list(log), internal_transactions: list(internal) },
})

const nodeInfo = record({
  ...{ beginSyncNum: whole, block: text, solidityBlock: text, totalFlow: whole },
  ...{ currentConnectCount: whole, activeConnectCount: whole, passiveConnectCount: whole },
  configNodeInfo: record({
    ...{ codeVersion: text, versionNum: text, p2pVersion: text, listenPort: whole },
    ...{ discoverEnable: flag, supportConstant: flag, dbVersion: whole },
    ...{ activeNodeSize: whole, passiveNodeSize: whole, sendNodeSize: whole },
    ...{ maxConnectCount: whole, sameIpMaxConnectCount: whole, minParticipationRate: whole },
    ...{ backupListenPort: whole, backupMemberSize: whole, backupPriority: whole },
    ...{ minTimeRatio: number, maxTimeRatio: number },
    ...{ allowCreationOfContracts: whole, allowAdaptiveEnergy: whole },
  }),
  machineInfo: record({
    ...{ threadCount: whole, deadLockThreadCount: whole, cpuCount: whole, totalMemory: whole },
    ...{ freeMemory: whole, jvmTotalMemory: whole, jvmFreeMemory: whole },
    ...{ cpuRate: number, processCpuRate: number, javaVersion: text, osName: text },
    ...{ memoryDescInfoList: list({ type: 'object' }) },
    ...{ deadLockThreadInfoList: list({ type: 'object' }) },
  }),
  cheatWitnessInfoMap: { type: 'object' },
  peerList: list({ type: 'object' }),
})

/** The replies of `/wallet/…`, by the last part of the path. */
export const HTTP_REPLIES: Fields = {
  getnowblock: block,
  getblock: block,
  getblockbynum: block,
  getblockbyid: block,
  getblockbylimitnext: record({ block: list(block) }),
  getblockbylatestnum: record({ block: list(block) }),
  gettransactioncountbyblocknum: record({ count: whole }),
  gettransactionbyid: transaction,
  gettransactioninfobyid: receipt,
  gettransactioninfobyblocknum: list(receipt),
  getaccount: account,
  getaccountnet: record(bandwidth),
  getaccountresource: record({
    ...bandwidth,
    ...{ TotalEnergyLimit: whole, TotalEnergyWeight: whole, EnergyUsed: whole, EnergyLimit: whole },
    ...{ TotalTronPowerWeight: whole, tronPowerUsed: whole, tronPowerLimit: whole },
  }),
  getcontract: contract,
  getcontractinfo: record({
    smart_contract: contract,
    runtimecode: hex(),
    contract_state: record({ energy_usage: whole, energy_factor: whole, update_cycle: whole }),
  }),
  validateaddress: record({ result: flag, message: text }, ['message']),
  triggerconstantcontract: called,
  triggersmartcontract: called,
  estimateenergy: record({ result: outcome, energy_required: whole }, ['result']),
  createtransaction: transaction,
  broadcasttransaction: record({ result: flag, code: REFUSALS, txid: hex(32), message: hex() }),
  // Unlike `broadcasttransaction`, it returns its message as plain text, and the transaction as a JSON string.
  broadcasthex: record({
    ...{ result: flag, code: REFUSALS, txid: hex(32), message: text, transaction: text },
  }),
  getnodeinfo: nodeInfo,
  getchainparameters: record({
    chainParameter: list(record({ key: text, value: whole }, ['key'])),
  }),
  getenergyprices: record({ prices: { type: 'string', pattern: '^\\d+:\\d+(,\\d+:\\d+)*$' } }),
  getbandwidthprices: record({ prices: { type: 'string', pattern: '^\\d+:\\d+(,\\d+:\\d+)*$' } }),
  getpendingsize: record({ pendingSize: whole }),
  getburntrx: record({ burnTrxAmount: whole }),
  listwitnesses: record({
    witnesses: list(
      record({
        ...{ address, voteCount: whole, pubKey: hex(), url: text, isJobs: flag },
        ...{
          totalProduced: whole,
          totalMissed: whole,
          latestBlockNum: whole,
          latestSlotNum: whole,
        },
      }),
    ),
  }),
}

const quantity = { type: 'string', pattern: '^0x(0|[1-9a-f][0-9a-f]*)$' }
const bytes = (count?: number): Schema => ({
  type: 'string',
  pattern: count === undefined ? '^0x([0-9a-f]{2})*$' : `^0x[0-9a-f]{${count * 2}}$`,
})
const maybe = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }] })
/** A log in a receipt or filter result. Newer nodes add the block's timestamp. */
const rpcLog = record(
  {
    ...{ address: bytes(20), topics: list(bytes(32)), data: bytes(), removed: flag },
    ...{ blockHash: bytes(32), blockNumber: quantity, transactionHash: bytes(32) },
    ...{ transactionIndex: quantity, logIndex: quantity, blockTimestamp: quantity },
  },
  [
    ...['address', 'topics', 'data', 'blockHash', 'blockNumber', 'transactionHash'],
    ...['transactionIndex', 'logIndex'],
  ],
)
const rpcTransaction = record(
  {
    ...{ blockHash: bytes(32), blockNumber: quantity, transactionIndex: quantity },
    ...{ hash: bytes(32), from: bytes(20), to: maybe(bytes(20)), input: bytes() },
    ...{ gas: quantity, gasPrice: quantity, value: quantity, nonce: bytes(8), type: quantity },
    ...{ v: quantity, r: bytes(32), s: bytes(32), blockTimestamp: quantity, chainId: quantity },
  },
  ['blockHash', 'blockNumber', 'transactionIndex', 'hash', 'from', 'to', 'input', 'value'],
)
const rpcBlock = record(
  {
    ...{ number: quantity, hash: bytes(32), parentHash: bytes(32), timestamp: quantity },
    ...{ nonce: bytes(8), sha3Uncles: bytes(32), logsBloom: bytes(256), mixHash: bytes(32) },
    ...{ transactionsRoot: bytes(32), receiptsRoot: bytes(32), stateRoot: bytes() },
    ...{ miner: bytes(20), extraData: bytes(), size: quantity, uncles: list(bytes(32)) },
    ...{ difficulty: quantity, totalDifficulty: quantity, baseFeePerGas: quantity },
    ...{ gasLimit: quantity, gasUsed: quantity },
    transactions: { anyOf: [list(bytes(32)), list(rpcTransaction)] },
  },
  ['number', 'hash', 'parentHash', 'timestamp', 'transactions'],
)
const rpcReceipt = record(
  {
    ...{ blockHash: bytes(32), blockNumber: quantity, contractAddress: maybe(bytes(20)) },
    ...{ cumulativeGasUsed: quantity, effectiveGasPrice: quantity, gasUsed: quantity },
    ...{ from: bytes(20), to: maybe(bytes(20)), logs: list(rpcLog), logsBloom: bytes(256) },
    ...{ status: oneOf('0x0', '0x1'), transactionHash: bytes(32), transactionIndex: quantity },
    ...{ type: quantity, blockTimestamp: quantity },
  },
  ['blockHash', 'blockNumber', 'from', 'to', 'logs', 'status', 'transactionHash', 'gasUsed'],
)

/** The results of JSON-RPC methods, by name. */
export const RPC_RESULTS: Fields = {
  web3_clientVersion: text,
  web3_sha3: bytes(32),
  net_version: quantity,
  net_listening: flag,
  net_peerCount: quantity,
  eth_chainId: quantity,
  eth_protocolVersion: quantity,
  eth_syncing: {
    anyOf: [
      { const: false },
      record({ startingBlock: quantity, currentBlock: quantity, highestBlock: quantity }),
    ],
  },
  eth_blockNumber: quantity,
  eth_gasPrice: quantity,
  eth_coinbase: bytes(20),
  eth_accounts: list(bytes(20)),
  eth_getBlockByHash: maybe(rpcBlock),
  eth_getBlockByNumber: maybe(rpcBlock),
  eth_getBlockTransactionCountByHash: maybe(quantity),
  eth_getBlockTransactionCountByNumber: maybe(quantity),
  eth_getTransactionByHash: maybe(rpcTransaction),
  eth_getTransactionByBlockHashAndIndex: maybe(rpcTransaction),
  eth_getTransactionByBlockNumberAndIndex: maybe(rpcTransaction),
  eth_getTransactionReceipt: maybe(rpcReceipt),
  eth_getBlockReceipts: maybe(list(rpcReceipt)),
  eth_getBalance: quantity,
  eth_getStorageAt: bytes(32),
  eth_getCode: bytes(),
  eth_call: bytes(),
  eth_estimateGas: quantity,
  eth_getLogs: list(rpcLog),
  buildTransaction: record({ transaction }, ['transaction']),
}
