import type { Hex } from 'viem'
import type { EvmNode } from '../core/evm-node.ts'
import { toQuantity } from '../core/rpc.ts'
import { type EnergyUse, penalisedEnergyOf, type TraceStep, withPenalty } from './energy.ts'
import { CODE_BYTE_ENERGY } from './parameters.ts'
import { type ContractResult, type EvmLog, type TronLog, toTronLog } from './records.ts'

type CallFrame = {
  gasUsed: Hex
  output?: Hex
  error?: string
  logs?: EvmLog[]
  calls?: CallFrame[]
}

export type SimulatedCall = { from: Hex; to?: Hex; data: Hex; value: number }
export type Simulation = {
  result: Exclude<ContractResult, 'DEFAULT' | 'OUT_OF_TIME'>
  /** The error message of the EVM process. */
  error?: string
  output: Hex
  use: EnergyUse
  logs: TronLog[]
}

/** Enough for the most expensive call that an account could pay for. */
export const EXECUTION_GAS = 200_000_000
/** Tracing a call that uses more gas than this takes seconds, so its energy is derived from its gas instead. */
const MOST_TRACED_GAS = 3_000_000
const BASE_GAS = 21_000
const ZERO_BYTE_GAS = 4
const BYTE_GAS = 16

/** A call in the form that the chain's process expects. Gas is free. */
export function rpcCall(call: SimulatedCall, gas: number): object {
  return { ...call, value: toQuantity(call.value), gas: toQuantity(gas), gasPrice: '0x0' }
}

/**
 * Runs a call without changing anything, with practically unlimited energy.
 * @param where the state, and the timestamp of the block if the call is to be sent
 * @param charged the energy limit, if any, whose excess the result reports, and the factor of the penalty
 */
export async function simulate(
  node: EvmNode,
  call: SimulatedCall,
  where: { tag: string; timestamp?: number },
  { limit, energyFactor = 0 }: { limit?: number | undefined; energyFactor?: number } = {},
): Promise<Simulation> {
  const request = rpcCall(call, EXECUTION_GAS)
  const block =
    where.timestamp === undefined
      ? {}
      : {
          blockOverrides: {
            time: toQuantity(where.timestamp),
            number: toQuantity(node.head().number + 1),
          },
        }
  const trace = <T>(options: object) =>
    node.rpc<T>('debug_traceCall', request, where.tag, { ...options, ...block })
  const frame = await trace<CallFrame>({ tracer: 'callTracer', tracerConfig: { withLog: true } })
  const gas = Number(frame.gasUsed) - intrinsicGas(call.data)
  const { structLogs } =
    gas > 0 && gas <= MOST_TRACED_GAS
      ? await trace<{ structLogs: TraceStep[] }>({ disableStack: true, disableStorage: true })
      : { structLogs: undefined }
  const use = structLogs
    ? penalisedEnergyOf(structLogs, energyFactor, limit)
    : withPenalty(Math.max(0, gas), energyFactor)
  const output = frame.output ?? '0x'
  // Storing a created contract's code costs energy, which no instruction accounts for.
  const isCreation = call.to === undefined && structLogs !== undefined && frame.error === undefined
  if (isCreation) use.energy += CODE_BYTE_ENERGY * (output.length / 2 - 1)
  return {
    result: resultOf(frame.error),
    ...(frame.error !== undefined && { error: frame.error }),
    output,
    use,
    logs: logsOf(frame).map(toTronLog),
  }
}

function resultOf(error: string | undefined): Simulation['result'] {
  if (error === undefined) return 'SUCCESS'
  const text = error.toLowerCase()
  if (/revert/.test(text)) return 'REVERT'
  if (/out ?of ?gas|not enough gas/.test(text)) return 'OUT_OF_ENERGY'
  if (/jump/.test(text)) return 'BAD_JUMP_DESTINATION'
  if (/underflow/.test(text)) return 'STACK_TOO_SMALL'
  if (/overflow/.test(text)) return 'STACK_OVERFLOW'
  if (/opcode|not activated|invalid/.test(text)) return 'ILLEGAL_OPERATION'
  return 'UNKNOWN'
}

/** Like a real node, includes the logs of inner calls that were reverted. */
function logsOf(frame: CallFrame): EvmLog[] {
  return [...(frame.calls ?? []).flatMap(logsOf), ...(frame.logs ?? [])]
}

/** The gas charged before a call's first instruction; on Tron it costs no energy. */
export function intrinsicGas(data: Hex): number {
  const bytes = Buffer.from(data.slice(2), 'hex')
  return bytes.reduce((sum, byte) => sum + (byte === 0 ? ZERO_BYTE_GAS : BYTE_GAS), BASE_GAS)
}
