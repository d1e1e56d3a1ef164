/** Reads a signed Tron transaction, as `wallet/broadcasthex` gets it: the protobuf fields that matter here. */
import { createHash } from 'node:crypto'
import type { Hex } from 'viem'
import type { Transaction } from './chain.ts'

type Fields = Map<number, (Buffer | bigint)[]>
const [VARINT, BYTES] = [0, 2]

function readFields(bytes: Buffer): Fields {
  const fields: Fields = new Map()
  let at = 0
  const varint = () => {
    let [value, shift] = [0n, 0n]
    for (;;) {
      const byte = bytes[at++] ?? 0
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
      shift += 7n
    }
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const [number, kind] = [tag >> 3, tag & 7]
    const value = kind === VARINT ? varint() : take(Number(varint()))
    fields.set(number, [...(fields.get(number) ?? []), value])
    if (kind !== VARINT && kind !== BYTES) throw new Error(`a field of kind ${kind}`)
  }
  return fields
  function take(length: number): Buffer {
    const part = bytes.subarray(at, at + length)
    at += length
    return part
  }
}

const bytesIn = (fields: Fields, number: number) =>
  (fields.get(number)?.[0] as Buffer | undefined) ?? Buffer.alloc(0)
const hexOf = (bytes: Buffer): Hex => `0x${bytes.toString('hex')}`

/** The signature isn't checked: who holds a key is the simulation's business. */
export function readTronTransaction(bytes: Buffer): Transaction {
  const raw = bytesIn(readFields(bytes), 1)
  const fields = readFields(raw)
  const call = readFields(bytesIn(readFields(bytesIn(readFields(bytesIn(fields, 11)), 2)), 2))
  return {
    hash: hexOf(createHash('sha256').update(raw).digest()),
    from: hexOf(bytesIn(call, 1).subarray(1)),
    to: hexOf(bytesIn(call, 2).subarray(1)),
    data: hexOf(bytesIn(call, 4)),
    expiresAt: Number(fields.get(8)?.[0] ?? 0),
  }
}
