import { decodeErrorResult } from 'viem'
import type { Engine } from '../../core/engine.ts'
import { RpcError, toQuantity } from '../../core/rpc.ts'
import { type ContractCall, factorOf, isContract, simulatedCall } from '../contracts.ts'
import { estimatedEnergy } from '../energy.ts'
import { stateTag } from '../node.ts'
import { rpcCall, simulate } from '../simulate.ts'
import { internalError, invalidParams, invalidRequest } from './errors.ts'
import { readHexAddress, requireCallableState } from './parameters.ts'

const CALL_GAS = 500_000_000
const NOBODY = `41${'00'.repeat(20)}`

/** The arguments of an Ethereum call; gas, gas price and nonce are accepted and ignored. */
export function readCallArguments(argument: unknown): ContractCall {
  if (typeof argument !== 'object' || argument === null) {
    throw invalidParams('JSON RPC request params invalid')
  }
  const { from, to, data, input, value } = argument as Record<string, unknown>
  const payload = `${input ?? data ?? ''}`.replace(/^0x/, '')
  if (!/^[0-9a-fA-F]*$/.test(payload)) throw invalidParams('invalid data value')
  const isCreation = to === undefined || to === null || to === '' || to === '0x'
  return {
    owner: from === undefined || from === null ? NOBODY : readHexAddress(from),
    contract: isCreation ? undefined : readHexAddress(to),
    data: `0x${payload.length % 2 === 0 ? payload : `0${payload}`}`,
    callValue: value ? Number(value) : 0,
  }
}

export async function call(engine: Engine, argument: unknown, selector: unknown): Promise<string> {
  await requireCallableState(engine, selector)
  const arguments_ = readCallArguments(argument)
  const { contract } = arguments_
  const tag = stateTag(engine, 'head')
  if (!contract || !(await isContract(engine, contract, tag))) {
    throw invalidRequest('Smart contract is not exist.')
  }
  try {
    return await engine.nodes.tron.rpc<string>(
      'eth_call',
      rpcCall(simulatedCall(arguments_), CALL_GAS),
      tag,
    )
  } catch (error) {
    throw asRevert(error)
  }
}

export async function estimate(engine: Engine, argument: unknown): Promise<string> {
  const arguments_ = readCallArguments(argument)
  const tag = stateTag(engine, 'head')
  if (arguments_.contract && !(await isContract(engine, arguments_.contract, tag))) return '0x0'
  const asked = simulatedCall(arguments_)
  const ran = await simulate(engine.nodes.tron, asked, { tag }, factorOf(engine))
  const { result, output, use } = ran
  if (result !== 'SUCCESS') throw revertOf(output)
  return toQuantity(estimatedEnergy(use.energy))
}

/** Converts a revert to Tron's form: another code than Ethereum's, with the reason in the text and the data. */
function asRevert(error: unknown): unknown {
  if (!(error instanceof RpcError) || typeof error.data !== 'string') return error
  return revertOf(error.data)
}

function revertOf(data: string): RpcError {
  const reason = reasonOf(data)
  const suffix = reason === undefined ? '' : `: ${reason}`
  return internalError(`REVERT opcode executed${suffix}`, data)
}

function reasonOf(data: string): string | undefined {
  if (!data.startsWith('0x08c379a0')) return undefined
  const { args } = decodeErrorResult({ abi: [], data: data as `0x${string}` })
  return `${args?.[0]}`
}
