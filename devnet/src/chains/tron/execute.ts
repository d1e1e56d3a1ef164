import { type Hex, keccak256 } from 'viem'
import type { EvmBlock, EvmNode } from '../core/evm-node.ts'
import { toQuantity } from '../core/rpc.ts'
import { type HexAddress, toEvm } from './address.ts'
import {
  type BandwidthBill,
  type BandwidthUsage,
  billBandwidth,
  chargedBytes,
} from './bandwidth.ts'
import { blockIdOf } from './block-id.ts'
import { outOfEnergyText } from './energy.ts'
import { CODE_BYTE_ENERGY, ENERGY_PRICE, MEMO_FEE, NEW_ACCOUNT_FEE } from './parameters.ts'
import {
  type ContractResult,
  type EvmLog,
  hasSucceeded,
  type Outcome,
  type TronLog,
  type TronRecord,
  type TronRecords,
  toTronLog,
} from './records.ts'
import { EXECUTION_GAS, intrinsicGas, rpcCall, type SimulatedCall, simulate } from './simulate.ts'
import { balanceOf, createsAccount } from './state.ts'
import type { CreateValue, TransferValue, TriggerValue, TronTransaction } from './transaction.ts'

type EvmReceipt = { status: Hex; logs: EvmLog[] }

/** A transaction in the process's pool, and its outcome. */
export type PooledTransaction = {
  transaction: TronTransaction
  /** Logs are known only once the block has been made. */
  outcome: Omit<Outcome, 'logs'>
}
type Pooled = PooledTransaction & {
  hash: Hex
  /** The code of the created contract. */
  creates?: { target: Hex; code: Hex }
}

/** A block that is being built. Its transactions are still pending in the chain's process. */
export type OpenBlock = {
  /**
   * Appends a validated transaction.
   * @returns false when its sender can no longer pay for its bandwidth: a node leaves it out
   */
  add(transaction: TronTransaction): Promise<boolean>
  find(txId: string): PooledTransaction | undefined
  /** The total that an account will be charged for its transactions. */
  feesOf(account: HexAddress): bigint
  /** The free bandwidth, including the usage by the block's transactions. */
  bandwidth: BandwidthUsage
  /** Makes the block and burns the fees. */
  close(): Promise<TronRecord[]>
}

type BlockContext = {
  node: EvmNode
  records: TronRecords
  /** In seconds. */
  timestamp: number
} & BlockConditions

/** How contracts run in a block. */
export type BlockConditions = {
  /** Whether they run out of time instead of completing. */
  timesOut: boolean
  /** How much more energy than usual they are charged, in ten-thousandths. */
  energyFactor?: number
}

type Wallet = { owner: HexAddress; balance: bigint }
type Prepared = Pick<Pooled, 'creates'> & {
  outcome: Omit<Outcome, 'logs' | 'fee' | keyof BandwidthBill>
  send: SimulatedCall & { gas: number }
}

/** Opens a block. The same transactions on the same state always give the same block. */
export function openBlock(context: BlockContext): OpenBlock {
  const { node, records, timestamp } = context
  const pooled: Pooled[] = []
  const fees = new Map<HexAddress, bigint>()
  const usage = records.bandwidth().fork()
  const feesOf = (account: HexAddress) => fees.get(account) ?? 0n

  return {
    feesOf,
    bandwidth: usage,
    find: (txId) => pooled.find(({ transaction }) => transaction.txID === txId),
    async add(transaction) {
      const owner = ownerOf(transaction)
      const balance = (await balanceOf(node.rpc, owner, 'pending')) - feesOf(owner)
      const [contract] = transaction.raw_data.contract
      const makesAccount = await createsAccount(node.rpc, contract, 'pending')
      const memoFee = transaction.raw_data.data ? MEMO_FEE : 0
      const bill = billBandwidth({
        bytes: chargedBytes(transaction),
        usedBytes: usage.usedAt(owner, timestamp * 1000),
        balance: balance - BigInt(memoFee),
        makesAccount,
      })
      if (!bill || balance < memoFee) return false
      const wallet = { owner, balance: balance - BigInt(bill.netFee + memoFee) }
      const { outcome, send, creates } = await prepare(context, transaction, wallet)
      const hash = await node.rpc<Hex>('eth_sendTransaction', rpcCall(send, send.gas))
      const accountFee = makesAccount ? NEW_ACCOUNT_FEE : 0
      const fee = bill.netFee + memoFee + outcome.energyFee + accountFee
      if (bill.netUsage > 0) usage.spend(owner, bill.netUsage, timestamp * 1000)
      fees.set(owner, feesOf(owner) + BigInt(fee))
      pooled.push({
        transaction,
        outcome: { ...outcome, ...bill, fee },
        hash,
        ...(creates && { creates }),
      })
      return true
    },
    async close() {
      await node.mine(timestamp)
      const block = await node.rpc<EvmBlock>('eth_getBlockByNumber', 'latest', false)
      const logs = await Promise.all(pooled.map((item) => includedLogs(node, item)))
      for (const { creates } of pooled) {
        if (creates) await node.rpc('anvil_setCode', creates.target, creates.code)
      }
      for (const [account, fee] of fees) await burn(node, account, fee)
      return toRecords(pooled, logs, block)
    },
  }
}

function ownerOf({ raw_data }: TronTransaction): HexAddress {
  return raw_data.contract[0].parameter.value.owner_address
}

function prepare(
  context: BlockContext,
  transaction: TronTransaction,
  wallet: Wallet,
): Promise<Prepared> | Prepared {
  const [contract] = transaction.raw_data.contract
  const { fee_limit: feeLimit = 0 } = transaction.raw_data
  switch (contract.type) {
    case 'TransferContract':
      return prepareTransfer(contract.parameter.value)
    case 'TriggerSmartContract':
      return prepareTrigger(context, contract.parameter.value, { ...wallet, feeLimit })
    case 'CreateSmartContract':
      return prepareCreation(context, transaction, { ...wallet, feeLimit })
  }
}

const TRANSFER_GAS = 21_000

function prepareTransfer(value: TransferValue): Prepared {
  const [from, to] = [toEvm(value.owner_address), toEvm(value.to_address)]
  return {
    outcome: { result: 'DEFAULT', energyUsed: 0, energyFee: 0, output: '' },
    send: { from, to, data: '0x', value: value.amount ?? 0, gas: TRANSFER_GAS },
  }
}

type Budget = Wallet & { feeLimit: number }

async function prepareTrigger(
  context: BlockContext,
  value: TriggerValue,
  budget: Budget,
): Promise<Prepared> {
  const call: SimulatedCall = {
    from: toEvm(value.owner_address),
    to: toEvm(value.contract_address),
    data: `0x${value.data ?? ''}`,
    value: value.call_value ?? 0,
  }
  const run = await runWithin(context, call, energyLimit(budget, call.value))
  return {
    outcome: { ...chargeFor(run), contractAddress: value.contract_address },
    send: { ...call, gas: gasFor(run, call.data) },
  }
}

/**
 * Tron derives a contract's address differently from the EVM. So the init code is placed at the Tron address, run
 * there, and replaced by the code that it returns.
 */
async function prepareCreation(
  context: BlockContext,
  transaction: TronTransaction,
  budget: Budget,
): Promise<Prepared> {
  const { value } = transaction.raw_data.contract[0].parameter as { value: CreateValue }
  const { bytecode = '', call_value: callValue = 0 } = value.new_contract
  const contractAddress = contractAddressOf(transaction.txID, value.owner_address)
  const target = toEvm(contractAddress)
  await context.node.rpc('anvil_setCode', target, `0x${bytecode}`)
  const call = {
    from: toEvm(value.owner_address),
    to: target,
    data: '0x',
    value: callValue,
  } as const
  const limit = energyLimit(budget, callValue)
  const run = withCodeSaved(await runWithin(context, call, limit), limit)
  const code = run.result === 'SUCCESS' ? run.output : '0x'
  return {
    outcome: { ...chargeFor(run), contractAddress },
    send: { ...call, gas: gasFor(run, call.data) },
    creates: { target, code },
  }
}

/** The address of the contract that this transaction creates on Tron. */
function contractAddressOf(txId: string, owner: HexAddress): HexAddress {
  return `41${keccak256(`0x${txId}${owner}`).slice(-40)}`
}

/** The result of running a contract, with the energy that the sender is charged for. */
type Run = {
  result: ContractResult
  energy: number
  penalty?: number
  output: Hex
  message?: string
}

/** The smaller of what the owner allows and what the owner can pay, as on Tron. */
function energyLimit({ balance, feeLimit }: Budget, callValue: number): number {
  const payable = balance - BigInt(callValue)
  const allowed = BigInt(feeLimit)
  const sun = payable < allowed ? payable : allowed
  return sun < 0n ? 0 : Number(sun / BigInt(ENERGY_PRICE))
}

async function runWithin(
  { node, timestamp, timesOut, energyFactor = 0 }: BlockContext,
  call: SimulatedCall,
  limit: number,
): Promise<Run> {
  if (timesOut) return failedRun('OUT_OF_TIME', limit, 'Already Time Out')
  const { result, error, output, use } = await simulate(
    node,
    call,
    { tag: 'pending', timestamp },
    { limit, energyFactor },
  )
  const outOfEnergy = (at: NonNullable<typeof use.exceeded>) =>
    failedRun('OUT_OF_ENERGY', limit, outOfEnergyText(limit, at))
  if (use.exceeded) return outOfEnergy(use.exceeded)
  const { energy, penalty } = use
  if (result === 'SUCCESS') return { result, energy, penalty, output }
  if (result === 'REVERT') {
    return { result, energy, penalty, output, message: 'REVERT opcode executed' }
  }
  if (result === 'OUT_OF_ENERGY' || use.energy > limit) {
    return outOfEnergy({ op: 'CALL', opEnergy: 0, usedBefore: limit })
  }
  return failedRun(result, limit, `${error}`)
}

/** Every failure except a revert consumes all energy up to the limit. */
function failedRun(result: ContractResult, limit: number, message: string): Run {
  return { result, energy: limit, output: '0x', message }
}

function withCodeSaved(run: Run, limit: number): Run {
  if (run.result !== 'SUCCESS') return run
  const energy = run.energy + CODE_BYTE_ENERGY * (run.output.length / 2 - 1)
  if (energy <= limit) return { ...run, energy }
  return failedRun('OUT_OF_ENERGY', limit, 'save just created contract code')
}

/** A run that must not complete gets only the intrinsic gas. */
function gasFor({ result }: Run, data: Hex): number {
  return result === 'OUT_OF_ENERGY' || result === 'OUT_OF_TIME' ? intrinsicGas(data) : EXECUTION_GAS
}

function chargeFor({ result, energy, penalty = 0, output, message }: Run): Prepared['outcome'] {
  return {
    result,
    energyUsed: energy,
    ...(penalty > 0 && { energyPenalty: penalty }),
    energyFee: energy * ENERGY_PRICE,
    output: output.slice(2),
    ...(message !== undefined && { message }),
  }
}

async function includedLogs(node: EvmNode, { hash, outcome }: Pooled): Promise<TronLog[]> {
  const receipt = await node.rpc<EvmReceipt | null>('eth_getTransactionReceipt', hash)
  if (!receipt) throw new Error(`the chain did not include ${hash}`)
  if ((receipt.status === '0x1') !== hasSucceeded({ outcome })) {
    throw new Error(`${hash} had another outcome than its trial run: ${outcome.result}`)
  }
  return receipt.logs.map(toTronLog)
}

async function burn(node: EvmNode, account: HexAddress, fee: bigint): Promise<void> {
  if (fee === 0n) return
  const balance = await balanceOf(node.rpc, account, 'latest')
  await node.rpc('anvil_setBalance', toEvm(account), toQuantity(balance - fee))
}

function toRecords(
  pooled: readonly Pooled[],
  logs: readonly TronLog[][],
  block: EvmBlock,
): TronRecord[] {
  let firstLogIndex = 0
  return pooled.map(({ transaction, outcome }, index) => {
    const record: TronRecord = {
      transaction,
      blockNumber: Number(block.number),
      blockId: blockIdOf(block),
      blockTimestampMs: Number(block.timestamp) * 1000,
      index,
      firstLogIndex,
      outcome: { ...outcome, logs: logs[index] ?? [] },
    }
    firstLogIndex += record.outcome.logs.length
    return record
  })
}
