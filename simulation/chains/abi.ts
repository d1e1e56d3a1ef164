/** Calls, results, events and errors of contracts, as bytes. */
import {
  type Abi,
  decodeFunctionData,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
} from 'viem'
import type { Log } from './chain.ts'

/** A contract refused: nothing of the call remains. */
export class Reverted extends Error {
  readonly data: Hex

  constructor(abi: Abi, errorName: string, args: readonly unknown[] = []) {
    super(errorName)
    this.data = encodeErrorResult({ abi, errorName, args } as Parameters<
      typeof encodeErrorResult
    >[0])
  }
}

export type Call = { name: string; args: readonly unknown[] }

export function readCall(abi: Abi, data: Hex): Call {
  const { functionName, args } = decodeFunctionData({ abi, data })
  return { name: functionName, args: args ?? [] }
}

export function result(abi: Abi, functionName: string, value: unknown): Hex {
  return encodeFunctionResult({ abi, functionName, result: value } as Parameters<
    typeof encodeFunctionResult
  >[0])
}

/** An event, its arguments in the order of the contract. */
export function event(
  abi: Abi,
  address: Hex,
  eventName: string,
  args: Readonly<Record<string, unknown>>,
): Log {
  const item = abi.find((one) => one.type === 'event' && one.name === eventName)
  if (item?.type !== 'event') throw new Error(`there is no event ${eventName}`)
  const topics = encodeEventTopics({ abi, eventName, args } as Parameters<
    typeof encodeEventTopics
  >[0])
  const plain = item.inputs.filter(({ indexed }) => !indexed)
  const values = plain.map(({ name }) => args[name ?? ''])
  return { address, topics: topics as Hex[], data: encodeAbiParameters(plain, values) }
}

/** The names of a function's arguments: contracts change, and with them what a call means. */
export function argumentsOf(abi: Abi, functionName: string): readonly string[] {
  const item = abi.find((one) => one.type === 'function' && one.name === functionName)
  return item?.type === 'function' ? item.inputs.map(({ name }) => name ?? '') : []
}
