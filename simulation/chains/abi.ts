/** Calls, results, events and errors of contracts, as bytes. */
import {
  type Abi,
  type AbiFunction,
  decodeAbiParameters,
  encodeAbiParameters,
  encodeErrorResult,
  encodeEventTopics,
  encodeFunctionResult,
  type Hex,
  toFunctionSelector,
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

/** @throws if the contract has no such function */
export function readCall(abi: Abi, data: Hex): Call {
  const item = functionsOf(abi).get(data.slice(0, SELECTOR_LENGTH))
  if (item === undefined) throw new Error(`there is no function ${data.slice(0, SELECTOR_LENGTH)}`)
  const args = data.length > SELECTOR_LENGTH ? `0x${data.slice(SELECTOR_LENGTH)}` : undefined
  const values = args === undefined ? [] : decodeAbiParameters(item.inputs, args as Hex)
  return { name: item.name, args: values }
}

const SELECTOR_LENGTH = 10
const selectors = new WeakMap<Abi, ReadonlyMap<string, AbiFunction>>()

/** By selector; hashing their names for each call would take most of the time of a chain. */
function functionsOf(abi: Abi): ReadonlyMap<string, AbiFunction> {
  const known =
    selectors.get(abi) ??
    new Map(abi.flatMap((one) => (one.type === 'function' ? [[toFunctionSelector(one), one]] : [])))
  selectors.set(abi, known)
  return known
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
