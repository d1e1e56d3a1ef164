import { decodeErrorResult } from 'viem'
import type { Engine } from '../../core/engine.ts'
import { RpcError, toQuantity } from '../../core/rpc.ts'
import { type ContractCall, evmCall, isContract } from '../contracts.ts'
import { intrinsicGas } from '../execute.ts'
import { internalError, invalidParams, invalidRequest } from './errors.ts'
import { readHexAddress, requireCallableState } from './parameters.ts'

const NOBODY = `41${'00'.repeat(20)}`

/** The arguments of an Ethereum call; gas, its price and a nonce are accepted and ignored. */
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
  if (!contract || !(await isContract(engine, contract))) {
    throw invalidRequest('Smart contract is not exist.')
  }
  try {
    return await engine.nodes.tron.rpc<string>('eth_call', evmCall(arguments_), 'latest')
  } catch (error) {
    throw asRevert(error)
  }
}

export async function estimate(engine: Engine, argument: unknown): Promise<string> {
  const arguments_ = readCallArguments(argument)
  if (arguments_.contract && !(await isContract(engine, arguments_.contract))) return '0x0'
  try {
    const gas = await engine.nodes.tron.rpc<string>('eth_estimateGas', evmCall(arguments_))
    return toQuantity(Math.max(0, Number(gas) - intrinsicGas(arguments_.data)))
  } catch (error) {
    throw asRevert(error)
  }
}

/** A revert in Tron's words: another code than Ethereum's, the reason in the text and the data. */
function asRevert(error: unknown): unknown {
  if (!(error instanceof RpcError) || typeof error.data !== 'string') return error
  const reason = reasonOf(error.data)
  const suffix = reason === undefined ? '' : `: ${reason}`
  return internalError(`REVERT opcode executed${suffix}`, error.data)
}

function reasonOf(data: string): string | undefined {
  if (!data.startsWith('0x08c379a0')) return undefined
  const { args } = decodeErrorResult({ abi: [], data: data as `0x${string}` })
  return `${args?.[0]}`
}
