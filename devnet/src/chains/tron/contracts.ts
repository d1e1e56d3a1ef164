import { keccak256, toBytes } from 'viem'
import type { Engine } from '../core/engine.ts'
import { RpcError, toQuantity } from '../core/rpc.ts'
import { type HexAddress, toEvm } from './address.ts'
import { readInteger } from './blocks.ts'
import { buildTransaction } from './build.ts'
import { intrinsicGas } from './execute.ts'
import { stateTag, type View } from './node.ts'
import { unsignedTransaction } from './transactions.ts'
import { compact, type Json, utf8ToHex } from './wire.ts'

type Hex = `0x${string}`
type CallFrame = {
  gasUsed: Hex
  output?: Hex
  error?: string
  logs?: TraceLog[]
  calls?: CallFrame[]
}
type TraceLog = { address: Hex; topics: Hex[]; data: Hex }
export type ContractCall = {
  owner: HexAddress
  contract: HexAddress | undefined
  data: Hex
  callValue: number
}

const CALL_GAS = 500_000_000
const REVERTED = 'REVERT opcode executed'

/** The refusal of a builder: the reason as hex, and no `result`. */
export function refusal(code: string, message: string): Json {
  return { result: { code, message: utf8ToHex(message) } }
}

/** The call's data: as given, or from the function's signature and its encoded parameters. */
export function callData(body: Json): Hex {
  const selector = body.function_selector
  if (typeof selector !== 'string' || selector === '') return `0x${body.data ?? ''}`
  return `${keccak256(toBytes(selector)).slice(0, 10) as Hex}${body.parameter ?? ''}`
}

export function isContract(engine: Engine, contract: HexAddress, tag = 'latest'): Promise<boolean> {
  const code = engine.nodes.tron.rpc<Hex>('eth_getCode', toEvm(contract), tag)
  return code.then((found) => found !== '0x')
}

/** A call that changes nothing. Logs, energy and the reason of a revert are the real ones. */
export async function constantCall(engine: Engine, view: View, call: ContractCall): Promise<Json> {
  const tag = stateTag(engine, view)
  if (call.contract && !(await isContract(engine, call.contract, tag))) {
    return refusal('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
  }
  const frame = await engine.nodes.tron.rpc<CallFrame>('debug_traceCall', evmCall(call), tag, {
    tracer: 'callTracer',
    tracerConfig: { withLog: true },
  })
  const hasFailed = frame.error !== undefined
  const transaction = await simulatedTransaction(engine, call)
  const logs = hasFailed ? [] : logsOf(frame)
  return compact({
    result: hasFailed ? { result: true, message: utf8ToHex(failureText(frame)) } : { result: true },
    energy_used: Math.max(0, Number(frame.gasUsed) - intrinsicGas(call.data)),
    constant_result: [(frame.output ?? '0x').slice(2)],
    logs: logs.length > 0 ? logs : undefined,
    transaction: { ret: [hasFailed ? { ret: 'FAILED' } : {}], ...transaction },
  })
}

function failureText(frame: CallFrame): string {
  return /revert/i.test(frame.error ?? '') ? REVERTED : `${frame.error}`
}

/** What the call would be as a transaction; a node sends it along. */
async function simulatedTransaction(engine: Engine, call: ContractCall): Promise<Json> {
  if (!call.contract) return {}
  const transaction = await buildTransaction(engine, {
    type: 'TriggerSmartContract',
    value: {
      owner_address: call.owner,
      contract_address: call.contract,
      call_value: call.callValue,
      data: call.data.slice(2),
    },
  })
  return unsignedTransaction(transaction)
}

function logsOf(frame: CallFrame): Json[] {
  const own = (frame.logs ?? []).map(({ address, topics, data }) =>
    compact({
      address: address.slice(2),
      topics: topics.map((topic) => topic.slice(2)),
      data: data.slice(2),
    }),
  )
  return [...(frame.calls ?? []).flatMap(logsOf), ...own]
}

/** The least energy with which the call succeeds. */
export async function estimateEnergy(
  engine: Engine,
  view: View,
  call: ContractCall,
): Promise<Json> {
  const tag = stateTag(engine, view)
  if (call.contract && !(await isContract(engine, call.contract, tag))) {
    return refusal('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
  }
  try {
    const gas = await engine.nodes.tron.rpc<Hex>('eth_estimateGas', evmCall(call), tag)
    const energy = Math.max(0, Number(gas) - intrinsicGas(call.data))
    return { result: { result: true }, energy_required: energy }
  } catch (error) {
    if (!(error instanceof RpcError)) throw error
    return refusal('CONTRACT_EXE_ERROR', REVERTED)
  }
}

export function evmCall({ owner, contract, data, callValue }: ContractCall): Json {
  return {
    from: toEvm(owner),
    ...(contract && { to: toEvm(contract) }),
    data,
    value: toQuantity(callValue),
    gas: toQuantity(CALL_GAS),
    gasPrice: '0x0',
  }
}

/** A contract as it was created, `{}` for any other account. */
export function contractMetadata(engine: Engine, address: HexAddress): Json {
  const record = engine.records.creationOf(address)
  const creation = record?.transaction.raw_data.contract[0]
  if (!record || creation?.type !== 'CreateSmartContract') return {}
  const { new_contract: contract } = creation.parameter.value
  return compact({
    ...contract,
    contract_address: address,
    code_hash: keccak256(`0x${record.outcome.output}`).slice(2),
    trx_hash: record.transaction.txID,
  })
}

export async function contractInfo(engine: Engine, address: HexAddress): Promise<Json> {
  const metadata = contractMetadata(engine, address)
  if (Object.keys(metadata).length === 0) return {}
  const code = await engine.nodes.tron.rpc<Hex>('eth_getCode', toEvm(address), 'latest')
  return {
    smart_contract: metadata,
    runtimecode: code.slice(2),
    contract_state: { update_cycle: readInteger(engine.nodes.tron.head().number) },
  }
}
