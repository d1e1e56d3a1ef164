import { keccak256 } from 'viem'
import type { EvmBlock, EvmNode } from '../core/evm-node.ts'
import { type Rpc, toQuantity } from '../core/rpc.ts'
import { fromEvm, type HexAddress, toEvm } from './address.ts'
import { blockIdOf } from './block-id.ts'
import {
  CODE_BYTE_ENERGY,
  ENERGY_PRICE,
  NEW_ACCOUNT_FEE,
  NEW_ACCOUNT_NET_FEE,
} from './parameters.ts'
import type { ContractResult, Outcome, TronLog, TronRecord } from './records.ts'
import {
  type CreateValue,
  type TransferValue,
  type TriggerValue,
  type TronTransaction,
  wireSize,
} from './transaction.ts'

type Hex = `0x${string}`
type CallTrace = { output?: Hex; error?: string }
type EvmReceipt = {
  status: Hex
  gasUsed: Hex
  logs: { address: Hex; topics: Hex[]; data: Hex }[]
}
type Inclusion = { node: EvmNode; transaction: TronTransaction; timestamp: number }
type Execution = { gasUsed: number; receipt: EvmReceipt; trace: CallTrace }

const TRANSFER_GAS = 21_000
const BASE_GAS = 21_000
const ZERO_BYTE_GAS = 4
const BYTE_GAS = 16

/**
 * Includes a validated transaction in a block of its own at `timestamp` (seconds), and burns its
 * fee. The same transaction on the same state always gives the same block.
 */
export async function executeTransaction(inclusion: Inclusion): Promise<TronRecord> {
  const { node, transaction } = inclusion
  const outcome = await outcomeOf(inclusion)
  const owner = toEvm(transaction.raw_data.contract[0].parameter.value.owner_address)
  if (outcome.fee > 0) await burn(node.rpc, owner, outcome.fee)
  const block = await node.rpc<EvmBlock>('eth_getBlockByNumber', 'latest', false)
  return {
    transaction,
    blockNumber: Number(block.number),
    blockId: blockIdOf(block),
    blockTimestampMs: Number(block.timestamp) * 1000,
    outcome,
  }
}

function outcomeOf(inclusion: Inclusion): Promise<Outcome> {
  const contract = inclusion.transaction.raw_data.contract[0]
  switch (contract.type) {
    case 'TransferContract':
      return transfer(inclusion, contract.parameter.value)
    case 'TriggerSmartContract':
      return trigger(inclusion, contract.parameter.value)
    case 'CreateSmartContract':
      return create(inclusion, contract.parameter.value)
  }
}

async function transfer(inclusion: Inclusion, value: TransferValue): Promise<Outcome> {
  const { node, transaction } = inclusion
  const isNewAccount = !(await accountExists(node.rpc, value.to_address))
  await runCall(inclusion, {
    from: toEvm(value.owner_address),
    to: toEvm(value.to_address),
    value: value.amount ?? 0,
    gas: TRANSFER_GAS,
  })
  const fees = isNewAccount
    ? { netUsage: 0, netFee: NEW_ACCOUNT_NET_FEE, fee: NEW_ACCOUNT_FEE + NEW_ACCOUNT_NET_FEE }
    : { netUsage: wireSize(transaction), netFee: 0, fee: 0 }
  return { result: 'DEFAULT', energyUsed: 0, energyFee: 0, ...fees, output: '', logs: [] }
}

async function trigger(inclusion: Inclusion, value: TriggerValue): Promise<Outcome> {
  const data: Hex = `0x${value.data ?? ''}`
  const baseGas = intrinsicGas(data)
  const limit = await energyLimit(inclusion, value.call_value ?? 0)
  const execution = await runCall(inclusion, {
    from: toEvm(value.owner_address),
    to: toEvm(value.contract_address),
    data,
    value: value.call_value ?? 0,
    gas: limit + baseGas,
  })
  const energyUsed = Math.max(0, execution.gasUsed - baseGas)
  const contractAddress = value.contract_address
  return contractOutcome(inclusion.transaction, { execution, energyUsed, contractAddress })
}

/**
 * Tron gives a contract another address than the chain below would. So the init code is put at that
 * address, run there in place, and replaced by the code that it returned.
 */
async function create(inclusion: Inclusion, value: CreateValue): Promise<Outcome> {
  const { node, transaction } = inclusion
  const { bytecode = '', call_value: callValue = 0 } = value.new_contract
  const contractAddress = contractAddressOf(transaction.txID, value.owner_address)
  const target = toEvm(contractAddress)
  await node.rpc('anvil_setCode', target, `0x${bytecode}`)
  const limit = await energyLimit(inclusion, callValue)
  const execution = await runCall(inclusion, {
    from: toEvm(value.owner_address),
    to: target,
    value: callValue,
    gas: limit + BASE_GAS,
  })
  const code = execution.receipt.status === '0x1' ? (execution.trace.output ?? '0x') : '0x'
  await node.rpc('anvil_setCode', target, code)
  const codeEnergy = CODE_BYTE_ENERGY * (code.length / 2 - 1)
  const energyUsed = Math.min(limit, execution.gasUsed - BASE_GAS + codeEnergy)
  return contractOutcome(transaction, { execution, energyUsed, contractAddress })
}

/** The address that Tron gives to the contract that this transaction creates. */
export function contractAddressOf(txId: string, owner: HexAddress): HexAddress {
  return `41${keccak256(`0x${txId}${owner}`).slice(-40)}`
}

function contractOutcome(
  transaction: TronTransaction,
  run: { execution: Execution; energyUsed: number; contractAddress: HexAddress },
): Outcome {
  const { execution, energyUsed, contractAddress } = run
  const result = resultOf(execution)
  const energyFee = energyUsed * ENERGY_PRICE
  const hasOutput = result === 'SUCCESS' || result === 'REVERT'
  return {
    result,
    energyUsed,
    energyFee,
    netUsage: wireSize(transaction),
    netFee: 0,
    fee: energyFee,
    output: hasOutput ? (execution.trace.output ?? '0x').slice(2) : '',
    contractAddress,
    ...(result !== 'SUCCESS' && { message: failureText(result, energyUsed) }),
    logs: execution.receipt.logs.map(toTronLog),
  }
}

function resultOf({ receipt, trace }: Execution): ContractResult {
  if (receipt.status === '0x1') return 'SUCCESS'
  const error = `${trace.error ?? ''}`.toLowerCase()
  if (/revert/.test(error)) return 'REVERT'
  if (/out ?of ?gas|not enough gas/.test(error)) return 'OUT_OF_ENERGY'
  if (/jump/.test(error)) return 'BAD_JUMP_DESTINATION'
  if (/underflow/.test(error)) return 'STACK_TOO_SMALL'
  if (/overflow/.test(error)) return 'STACK_OVERFLOW'
  if (/opcode|not activated|invalid/.test(error)) return 'ILLEGAL_OPERATION'
  return 'UNKNOWN'
}

function failureText(result: ContractResult, energyUsed: number): string {
  if (result === 'REVERT') return 'REVERT opcode executed'
  if (result === 'OUT_OF_ENERGY') {
    return `Not enough energy for 'CALL' operation executing: curInvokeEnergyLimit[${energyUsed}], curOpEnergy[0], usedEnergy[${energyUsed}]`
  }
  return `${result.toLowerCase().replaceAll('_', ' ')}`
}

function toTronLog(log: EvmReceipt['logs'][number]): TronLog {
  return {
    address: fromEvm(log.address),
    topics: log.topics.map((topic) => topic.slice(2)),
    data: log.data.slice(2),
  }
}

/** What the owner allows and can pay for, as on Tron: the smaller of the two. */
async function energyLimit(inclusion: Inclusion, callValue: number): Promise<number> {
  const { node, transaction } = inclusion
  const owner = transaction.raw_data.contract[0].parameter.value.owner_address
  const balance = await balanceOf(node.rpc, owner)
  const payable = balance - BigInt(callValue)
  const allowed = BigInt(transaction.raw_data.fee_limit ?? 0)
  const sun = payable < allowed ? payable : allowed
  return sun < 0n ? 0 : Number(sun / BigInt(ENERGY_PRICE))
}

async function runCall(
  { node, timestamp }: Inclusion,
  call: { from: Hex; to: Hex; value: number; gas: number; data?: Hex },
): Promise<Execution> {
  const hash = await node.rpc<Hex>('eth_sendTransaction', {
    ...call,
    value: toQuantity(call.value),
    gas: toQuantity(call.gas),
    gasPrice: '0x0',
  })
  await node.mine(timestamp)
  const [receipt, trace] = await Promise.all([
    node.rpc<EvmReceipt | null>('eth_getTransactionReceipt', hash),
    node.rpc<CallTrace>('debug_traceTransaction', hash, { tracer: 'callTracer' }),
  ])
  if (!receipt) throw new Error(`the chain did not include ${hash}`)
  return { gasUsed: Number(receipt.gasUsed), receipt, trace }
}

async function burn(rpc: Rpc, owner: Hex, fee: number): Promise<void> {
  const balance = BigInt(await rpc<Hex>('eth_getBalance', owner, 'latest'))
  await rpc('anvil_setBalance', owner, toQuantity(balance - BigInt(fee)))
}

export async function balanceOf(rpc: Rpc, account: HexAddress, block = 'latest'): Promise<bigint> {
  return BigInt(await rpc<Hex>('eth_getBalance', toEvm(account), block))
}

/** An account exists once it holds or held TRX, or is a contract. */
export async function accountExists(
  rpc: Rpc,
  account: HexAddress,
  block = 'latest',
): Promise<boolean> {
  const address = toEvm(account)
  const [balance, nonce, code] = await Promise.all([
    rpc<Hex>('eth_getBalance', address, block),
    rpc<Hex>('eth_getTransactionCount', address, block),
    rpc<Hex>('eth_getCode', address, block),
  ])
  return BigInt(balance) > 0n || BigInt(nonce) > 0n || code !== '0x'
}

/** What a call costs before its first instruction; Tron counts no energy for that. */
export function intrinsicGas(data: Hex): number {
  const bytes = Buffer.from(data.slice(2), 'hex')
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS), BASE_GAS)
}
