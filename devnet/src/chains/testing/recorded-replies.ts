import type { Shape } from './reply-shape.ts'

/**
 * The replies in `recorded/`, which java-tron 4.8 gave on a private network with the main network's prices: the shape
 * of each kind of reply, with the exact texts and codes of its refusals. Fields that only some versions or networks
 * have are optional. recordings.test.ts checks these shapes against the recorded replies, and recorded-replies.test.ts
 * checks the gateway's replies against the shapes.
 */
const asHex = (text: string) => `=${Buffer.from(text, 'utf8').toString('hex')}`
const startsAsHex = (text: string) => `~${Buffer.from(text, 'utf8').toString('hex')}`

const rawData = (type: string, value: Shape): Shape => ({
  contract: [
    { parameter: { value, type_url: `=type.googleapis.com/protocol.${type}` }, type: `=${type}` },
  ],
  ref_block_bytes: 'hex',
  ref_block_hash: 'hex',
  expiration: 'number',
  'fee_limit?': 'number',
  timestamp: 'number',
})
const callData = (address: string) =>
  rawData('TriggerSmartContract', {
    data: 'hex',
    owner_address: address,
    contract_address: address,
  })
const transferData = rawData('TransferContract', {
  amount: 'number',
  owner_address: 'address',
  to_address: 'address',
})
const unsigned = (raw: Shape): { [field: string]: Shape } => ({
  visible: 'any',
  txID: 'id',
  raw_data: raw,
  raw_data_hex: 'hex',
})
const included = (contractRet: string, raw = callData('address')): Shape => ({
  ret: [{ contractRet: `=${contractRet}` }],
  signature: ['signature'],
  txID: 'id',
  raw_data: raw,
  raw_data_hex: 'hex',
})
const log: Shape = { address: 'bytes20', topics: ['id'], 'data?': 'hex' }
const info = (parts: { [field: string]: Shape }): Shape => ({
  id: 'id',
  fee: 'number',
  blockNumber: 'number',
  blockTimeStamp: 'number',
  contractResult: ['hex'],
  'packingFee?': 'number',
  ...parts,
})
const energy: Shape = { energy_fee: 'number', energy_usage_total: 'number' }
/** A receipt has one of the two, because bandwidth is either paid or free. The shapes of successes say which. */
const eitherBandwidth: Shape = { 'net_fee?': 'number', 'net_usage?': 'number' }
const failed = (result: string, words: string, receipt: object = energy) =>
  info({
    contract_address: 'address',
    receipt: { ...receipt, ...eitherBandwidth, result: `=${result}` },
    result: '=FAILED',
    resMessage: words,
  })
const refused = (code: string, words: string): Shape => ({
  code: `=${code}`,
  txid: 'id',
  message: words,
})
const constant = (address: string, parts: { [field: string]: Shape } = {}): Shape => ({
  result: { result: 'true' },
  energy_used: 'number',
  constant_result: ['hex'],
  transaction: { ret: [{}], ...unsigned(callData(address)) },
  'internal_transactions?': 'any',
  ...parts,
})

const block: { [field: string]: Shape } = {
  blockID: 'id',
  block_header: {
    raw_data: {
      number: 'number',
      txTrieRoot: 'id',
      witness_address: 'address',
      parentHash: 'id',
      version: 'number',
      timestamp: 'number',
    },
    witness_signature: 'signature',
  },
}

export const HTTP_REPLIES = {
  accepted: { result: 'true', txid: 'id' },
  duplicate: refused('DUP_TRANSACTION_ERROR', asHex('Dup transaction.')),
  shortSignature: refused('SIGERROR', startsAsHex('Validate signature error: Signature size is ')),
  noSignature: refused('SIGERROR', asHex('Validate signature error: miss sig or contract')),
  otherSigner: refused('SIGERROR', startsAsHex('Validate signature error: ')),
  noContract: refused(
    'CONTRACT_VALIDATE_ERROR',
    asHex('Contract validate error : No contract or not a smart contract'),
  ),
  noAccount: refused(
    'CONTRACT_VALIDATE_ERROR',
    startsAsHex('Contract validate error : account [T'),
  ),
  tooPoorToSend: refused(
    'CONTRACT_VALIDATE_ERROR',
    asHex('Contract validate error : Validate TransferContract error, balance is not sufficient.'),
  ),
  noBandwidth: refused('BANDWITH_ERROR', asHex('Account resource insufficient error.')),
  expired: refused('TRANSACTION_EXPIRATION_ERROR', asHex('Transaction expired')),
  otherChain: refused('TAPOS_ERROR', asHex('Tapos check error.')),
  // Only this path returns its code and message as plain text, and repeats the transaction.
  hexAccepted: {
    result: 'true',
    code: '=SUCCESS',
    txid: 'id',
    message: '=',
    transaction: '~{"raw_data":',
  },
  hexExpired: {
    result: 'false',
    code: '=TRANSACTION_EXPIRATION_ERROR',
    txid: 'id',
    message: '=Transaction expired',
    transaction: '~{"raw_data":',
  },
  hexNonsense: {
    Error:
      '=class org.bouncycastle.util.encoders.DecoderException : exception decoding Hex string: invalid characters encountered in Hex string',
  },
  transfer: unsigned(transferData),
  transferTooLarge: {
    Error:
      '=class org.tron.core.exception.ContractValidateException : Validate TransferContract error, balance is not sufficient.',
  },
  estimate: { result: { result: 'true' }, energy_required: 'number' },
  estimateReverted: {
    result: { code: '=CONTRACT_EXE_ERROR', message: asHex('REVERT opcode executed') },
  },
  account: {
    address: 'address',
    'balance?': 'number',
    'create_time?': 'number',
    'latest_opration_time?': 'number',
    'free_net_usage?': 'number',
    'latest_consume_free_time?': 'number',
    net_window_size: 'number',
    'net_window_optimized?': 'true',
    account_resource: {
      'latest_consume_time_for_energy?': 'number',
      energy_window_size: 'number',
      'energy_window_optimized?': 'true',
    },
    owner_permission: {
      permission_name: '=owner',
      threshold: 'number',
      keys: [{ address: 'address', weight: 'number' }],
    },
    active_permission: [
      {
        type: '=Active',
        id: 'number',
        permission_name: '=active',
        threshold: 'number',
        operations: 'hex',
        keys: [{ address: 'address', weight: 'number' }],
      },
    ],
    frozenV2: [{ 'type?': 'text' }],
    'asset_optimized?': 'true',
  },
  /** The address of a contract, which has no keys. */
  contractAccount: {
    account_name: 'hex',
    type: '=Contract',
    address: 'address',
    'latest_opration_time?': 'number',
    net_window_size: 'number',
    'net_window_optimized?': 'true',
    account_resource: { energy_window_size: 'number', 'energy_window_optimized?': 'true' },
    frozenV2: [{ 'type?': 'text' }],
    'asset_optimized?': 'true',
  },
  visibleNonsense: {
    Error:
      '=class java.lang.NullPointerException : Cannot read the array length because "bytes" is null',
  },
  nothing: {},
  brokenBody: { Error: '~class com.alibaba.fastjson.JSONException : ' },
  resourceUsed: {
    freeNetUsed: 'number',
    freeNetLimit: 'number',
    TotalNetLimit: 'number',
    'TotalNetWeight?': 'number',
    TotalEnergyLimit: 'number',
    'TotalEnergyWeight?': 'number',
  },
  resourceUnused: {
    freeNetLimit: 'number',
    TotalNetLimit: 'number',
    'TotalNetWeight?': 'number',
    TotalEnergyLimit: 'number',
    'TotalEnergyWeight?': 'number',
  },
  block,
  callBlock: { ...block, transactions: [included('SUCCESS')] },
  transferBlock: { ...block, transactions: [included('SUCCESS', transferData)] },
  included: included('SUCCESS'),
  includedReverted: included('REVERT'),
  infoPaid: info({
    contract_address: 'address',
    receipt: { ...energy, net_fee: 'number', result: '=SUCCESS' },
    log: [log],
  }),
  infoFree: info({
    contract_address: 'address',
    receipt: { ...energy, net_usage: 'number', result: '=SUCCESS' },
    log: [log],
  }),
  infoReverted: failed('REVERT', asHex('REVERT opcode executed')),
  infoNoEnergy: failed(
    'OUT_OF_ENERGY',
    startsAsHex("Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit["),
  ),
  infoNothingLeft: failed(
    'OUT_OF_ENERGY',
    asHex(
      "Not enough energy for 'PUSH1' operation executing: curInvokeEnergyLimit[0], curOpEnergy[3], usedEnergy[0]",
    ),
    {},
  ),
  infoTimeOut: failed('OUT_OF_TIME', asHex('Already Time Out')),
  infoTransfer: info({ receipt: { net_fee: 'number' } }),
  infoNonsense: {
    Error:
      '=class org.tron.core.services.http.JsonFormat$ParseException : 1:10: INVALID hex String',
  },
  constant: constant('address'),
  constantVisible: constant('base58'),
  constantWithLogs: constant('address', { logs: [log] }),
  constantReverted: constant('address', {
    result: { result: 'true', message: asHex('REVERT opcode executed') },
    transaction: { ret: [{ ret: '=FAILED' }], ...unsigned(callData('address')) },
    'logs?': [log],
  }),
  constantNoContract: {
    result: { code: '=CONTRACT_VALIDATE_ERROR', message: asHex('Smart contract is not exist.') },
  },
  constantTimeOut: {
    result: {
      code: '=OTHER_ERROR',
      message: startsAsHex(
        'class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for ',
      ),
    },
  },
  builtConstantNoEnergy: {
    result: {
      code: '=OTHER_ERROR',
      message: asHex(
        "class org.tron.core.vm.program.Program$OutOfEnergyException : Not enough energy for 'PUSH1' operation executing: curInvokeEnergyLimit[0], curOpEnergy[3], usedEnergy[0]",
      ),
    },
  },
  built: { result: { result: 'true' }, transaction: unsigned(callData('address')) },
  builtNoContract: {
    result: {
      code: '=CONTRACT_VALIDATE_ERROR',
      message: asHex('No contract or not a valid smart contract'),
    },
  },
  burntTrx: { 'burnTrxAmount?': 'number' },
  witnesses: {
    witnesses: [
      {
        address: 'address',
        voteCount: 'number',
        url: 'text',
        totalProduced: 'number',
        'totalMissed?': 'number',
        latestBlockNum: 'number',
        latestSlotNum: 'number',
        isJobs: 'true',
      },
    ],
  },
  chainParameters: { chainParameter: [{ key: 'text', 'value?': 'number' }] },
  validAddress: { result: 'true', message: '=Base58check format' },
} as const satisfies Record<string, Shape>

const rpcLog: Shape = {
  address: 'account',
  blockHash: 'hash',
  blockNumber: 'quantity',
  'blockTimestamp?': 'quantity',
  data: 'data',
  logIndex: 'quantity',
  removed: 'false',
  topics: ['hash'],
  transactionHash: 'hash',
  transactionIndex: 'quantity',
}
const rpcTransaction: Shape = {
  blockHash: 'hash',
  blockNumber: 'quantity',
  from: 'account',
  gas: 'quantity',
  gasPrice: 'quantity',
  hash: 'hash',
  input: 'data',
  nonce: '=0x0000000000000000',
  r: 'hash',
  s: 'hash',
  to: 'account',
  transactionIndex: 'quantity',
  type: '=0x0',
  v: 'quantity',
  value: 'quantity',
}
const rpcBlock = (transactions: Shape): Shape => ({
  baseFeePerGas: '=0x0',
  difficulty: '=0x0',
  extraData: '=0x',
  gasLimit: 'quantity',
  gasUsed: 'quantity',
  hash: 'hash',
  logsBloom: 'data',
  miner: 'account',
  mixHash: 'hash',
  nonce: '=0x0000000000000000',
  number: 'quantity',
  parentHash: 'hash',
  receiptsRoot: 'hash',
  sha3Uncles: 'hash',
  size: 'quantity',
  stateRoot: '=0x',
  timestamp: 'quantity',
  totalDifficulty: '=0x0',
  transactions,
  transactionsRoot: 'hash',
  uncles: [],
})
const rpcReceipt = (logs: Shape): Shape => ({
  blockHash: 'hash',
  blockNumber: 'quantity',
  contractAddress: 'null',
  cumulativeGasUsed: 'quantity',
  effectiveGasPrice: 'quantity',
  from: 'account',
  gasUsed: 'quantity',
  logs,
  logsBloom: 'data',
  status: 'quantity',
  to: 'account',
  transactionHash: 'hash',
  transactionIndex: 'quantity',
  type: '=0x0',
})

/** The `result` of a JSON-RPC call. */
export const RPC_RESULTS = {
  quantity: 'quantity',
  hash: 'hash',
  nothing: 'null',
  none: [],
  logs: [rpcLog],
  transaction: rpcTransaction,
  emptyBlock: rpcBlock([]),
  block: rpcBlock(['hash']),
  fullBlock: rpcBlock([rpcTransaction]),
  receipt: rpcReceipt([rpcLog]),
  transferReceipt: rpcReceipt([]),
} as const satisfies Record<string, Shape>

const data = '{}'
/** The `error` of a JSON-RPC call. */
export const RPC_ERRORS = {
  /** Since 4.8.1, `data` contains the revert data. */
  reverted: { code: -32_000, message: 'REVERT opcode executed' },
  stateOfNumber: {
    ...{ code: -32_602, message: 'QUANTITY not supported, just support TAG as latest' },
    data,
  },
  noContract: { code: -32_600, message: 'Smart contract is not exist.', data },
  wrongRange: { code: -32_602, message: 'please verify: fromBlock <= toBlock', data },
  noParameters: { code: -32_602, message: 'method parameters invalid' },
  noMethod: { code: -32_601, message: 'method not found' },
} as const
