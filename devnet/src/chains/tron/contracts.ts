import { type Hex, keccak256, toBytes } from 'viem'
import type { Engine } from '../core/engine.ts'
import { type HexAddress, toEvm } from './address.ts'
import { buildTransaction } from './build.ts'
import { estimatedEnergy, outOfEnergyText } from './energy.ts'
import { stateTag, type View } from './node.ts'
import { type SimulatedCall, type Simulation, simulate } from './simulate.ts'
import { toWireLog, unsignedTransaction } from './transactions.ts'
import { compact, type Json, utf8ToHex } from './wire.ts'

export type ContractCall = {
  owner: HexAddress
  contract: HexAddress | undefined
  data: Hex
  callValue: number
}

type AbiEntry = {
  type: string
  name?: string
  inputs?: { type: string }[]
  stateMutability?: string
}

const REVERTED = 'REVERT opcode executed'
const OUT_OF_ENERGY = 'class org.tron.core.vm.program.Program$OutOfEnergyException'
const TIMED_OUT =
  "class org.tron.core.vm.program.Program$OutOfTimeException : CPU timeout for 'PUSH1' operation executing"

/** A refusal by a transaction builder: the reason as hex, and no inner `result`. */
export function refusal(code: string, message: string): Json {
  return { result: { code, message: utf8ToHex(message) } }
}

/** The call's data: as given, or from the function's signature and its encoded parameters. */
export function callData(body: Json): Hex {
  const selector = body.function_selector
  if (typeof selector !== 'string' || selector === '') return `0x${body.data ?? ''}`
  return `${selectorOf(selector)}${body.parameter ?? ''}`
}

function selectorOf(signature: string): Hex {
  return keccak256(toBytes(signature)).slice(0, 10) as Hex
}

export async function isContract(
  engine: Engine,
  contract: HexAddress,
  tag: string,
): Promise<boolean> {
  return (await engine.nodes.tron.rpc<Hex>('eth_getCode', toEvm(contract), tag)) !== '0x'
}

/**
 * A constant call. Logs, energy and the revert reason are the real ones.
 * @param limit the energy limit; a node ends a call that exceeds it
 */
export async function constantCall(
  engine: Engine,
  view: View,
  call: ContractCall,
  limit?: number,
): Promise<Json> {
  const tag = stateTag(engine, view)
  if (call.contract && !(await isContract(engine, call.contract, tag))) {
    return refusal('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
  }
  if (engine.tronBehaviour().callsTimeOut) return refusal('OTHER_ERROR', TIMED_OUT)
  const run = await simulate(
    engine.nodes.tron,
    simulatedCall(call),
    { tag },
    { limit, ...factorOf(engine) },
  )
  if (limit !== undefined && run.use.exceeded) {
    const words = outOfEnergyText(limit, run.use.exceeded)
    return refusal('OTHER_ERROR', `${OUT_OF_ENERGY} : ${words}`)
  }
  const hasFailed = run.result !== 'SUCCESS'
  const transaction = await simulatedTransaction(engine, call)
  return compact({
    result: hasFailed ? { result: true, message: utf8ToHex(failureText(run)) } : { result: true },
    energy_used: run.use.energy,
    energy_penalty: run.use.penalty,
    constant_result: [run.output.slice(2)],
    logs: run.logs.length > 0 ? run.logs.map(toWireLog) : undefined,
    transaction: { ret: [hasFailed ? { ret: 'FAILED' } : {}], ...transaction },
  })
}

function failureText({ result, error }: Simulation): string {
  return result === 'REVERT' ? REVERTED : `${error}`
}

/** The call as a transaction; a node includes it in the reply. */
async function simulatedTransaction(engine: Engine, call: ContractCall): Promise<Json> {
  if (!call.contract) return {}
  const transaction = await buildTransaction(engine, {
    type: 'TriggerSmartContract',
    value: triggerValue(call),
  })
  return unsignedTransaction(transaction)
}

/** The call as the value of a transaction. */
export function triggerValue({ owner, contract, data, callValue }: ContractCall): Json {
  return {
    owner_address: owner,
    contract_address: contract,
    call_value: callValue,
    data: data.slice(2),
  }
}

/** The energy that the call needs in order to succeed. */
export async function estimateEnergy(
  engine: Engine,
  view: View,
  call: ContractCall,
): Promise<Json> {
  const tag = stateTag(engine, view)
  if (call.contract && !(await isContract(engine, call.contract, tag))) {
    return refusal('CONTRACT_VALIDATE_ERROR', 'Smart contract is not exist.')
  }
  if (engine.tronBehaviour().callsTimeOut) return refusal('OTHER_ERROR', TIMED_OUT)
  const ran = await simulate(engine.nodes.tron, simulatedCall(call), { tag }, factorOf(engine))
  const { result, use } = ran
  if (result !== 'SUCCESS') return refusal('CONTRACT_EXE_ERROR', REVERTED)
  return { result: { result: true }, energy_required: estimatedEnergy(use.energy) }
}

/** How much more energy than usual contracts are charged at present. */
export function factorOf(engine: Engine): { energyFactor: number } {
  return { energyFactor: engine.tronBehaviour().energyFactor }
}

export function simulatedCall({ owner, contract, data, callValue }: ContractCall): SimulatedCall {
  return { from: toEvm(owner), ...(contract && { to: toEvm(contract) }), data, value: callValue }
}

/** Whether the contract's published ABI has a view or pure function with this selector. */
export function isConstantFunction(engine: Engine, contract: HexAddress, data: Hex): boolean {
  const { abi } = contractMetadata(engine, contract) as { abi?: { entrys?: AbiEntry[] } }
  return (abi?.entrys ?? []).some(
    ({ type, name, inputs = [], stateMutability }) =>
      type === 'Function' &&
      (stateMutability === 'View' || stateMutability === 'Pure') &&
      selectorOf(`${name}(${inputs.map((input) => input.type).join()})`) === data.slice(0, 10),
  )
}

/** A contract as created; `{}` for any other account. */
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
  const { tron } = engine.nodes
  const code = await tron.rpc<Hex>('eth_getCode', toEvm(address), stateTag(engine, 'head'))
  return {
    smart_contract: metadata,
    runtimecode: code.slice(2),
    contract_state: compact({
      energy_factor: factorOf(engine).energyFactor,
      update_cycle: tron.head().number,
    }),
  }
}
