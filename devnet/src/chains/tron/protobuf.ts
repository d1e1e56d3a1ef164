/**
 * The subset of proto3 that Tron's transactions need. Fields with their default value are omitted in both directions,
 * as the protocol requires: the transaction id is a hash over these bytes.
 */
export type Field = {
  id: number
  kind: 'bytes' | 'string' | 'int' | 'bool' | 'enum' | 'message'
  repeated?: boolean
  /** For an enum, by number. */
  names?: Readonly<Record<number, string>>
  /** For a message. */
  schema?: Schema
}
export type Schema = Readonly<Record<string, Field>>
export type Message = Record<string, unknown>

/** A value that does not fit the schema, or bytes that are not a valid message. */
export class ProtobufError extends Error {
  override name = 'ProtobufError'
}

const VARINT = 0
const FIXED_64 = 1
const LENGTH_DELIMITED = 2
const FIXED_32 = 5

/** Bytes are hex text, integers are numbers or decimal strings. Unknown keys are ignored. */
export function encodeMessage(schema: Schema, message: Message): Buffer {
  const fields = Object.entries(schema).sort(([, a], [, b]) => a.id - b.id)
  const parts = fields.flatMap(([name, field]) => {
    const value = message[name]
    if (value === undefined || value === null) return []
    if (!field.repeated) return encodeField(field, value, { keepDefault: false })
    if (!Array.isArray(value)) throw new ProtobufError(`${name} must be a list`)
    return value.flatMap((item) => encodeField(field, item, { keepDefault: true }))
  })
  return Buffer.concat(parts)
}

function encodeField(field: Field, value: unknown, options: { keepDefault: boolean }): Buffer[] {
  const scalar = scalarOf(field, value)
  if (scalar !== undefined) {
    if (scalar === 0n && !options.keepDefault) return []
    return [tag(field.id, VARINT), varint(BigInt.asUintN(64, scalar))]
  }
  const bytes = bytesOf(field, value)
  if (bytes.length === 0 && field.kind !== 'message' && !options.keepDefault) return []
  return [tag(field.id, LENGTH_DELIMITED), varint(BigInt(bytes.length)), bytes]
}

function scalarOf(field: Field, value: unknown): bigint | undefined {
  if (field.kind === 'bool') return value === true || value === 'true' ? 1n : 0n
  if (field.kind === 'int') return integer(value)
  if (field.kind !== 'enum') return undefined
  const wanted = `${value}`.toLowerCase()
  const found = Object.entries(field.names ?? {}).find(([, name]) => name.toLowerCase() === wanted)
  if (!found) throw new ProtobufError(`unknown enum value ${value}`)
  return BigInt(found[0])
}

function integer(value: unknown): bigint {
  const isWhole = typeof value === 'number' && Number.isSafeInteger(value)
  const isDecimal = typeof value === 'string' && /^-?\d{1,19}$/.test(value)
  if (!isWhole && !isDecimal) throw new ProtobufError(`${value} is not a 64-bit integer`)
  return BigInt(value)
}

function bytesOf(field: Field, value: unknown): Buffer {
  if (field.kind === 'message') {
    if (typeof value !== 'object' || value === null || !field.schema) {
      throw new ProtobufError('an object is missing')
    }
    return encodeMessage(field.schema, value as Message)
  }
  if (typeof value !== 'string') throw new ProtobufError(`${value} is not a string`)
  if (field.kind === 'string') return Buffer.from(value, 'utf8')
  const hex = value.startsWith('0x') ? value.slice(2) : value
  if (!/^([0-9a-fA-F]{2})*$/.test(hex)) throw new ProtobufError('INVALID hex String')
  return Buffer.from(hex, 'hex')
}

function tag(id: number, wireType: number): Buffer {
  return varint(BigInt(id * 8 + wireType))
}

function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = value
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80)
    rest >>= 7n
  }
  return Buffer.from([...bytes, Number(rest)])
}

/** The message's fields by name; bytes become lowercase hex. Fields not in the schema are dropped. */
export function decodeMessage(schema: Schema, bytes: Uint8Array): Message {
  const byId = new Map(Object.entries(schema).map(([name, field]) => [field.id, { name, field }]))
  const message: Message = {}
  const reader = createReader(bytes)
  while (!reader.atEnd()) {
    const key = Number(reader.varint())
    const raw = readValue(reader, key % 8)
    const known = byId.get(Math.floor(key / 8))
    if (!known || raw === undefined) continue
    const { name, field } = known
    const value = decodeValue(field, raw)
    if (field.repeated) message[name] = [...((message[name] as unknown[]) ?? []), value]
    else if (!isDefault(value)) message[name] = value
  }
  return message
}

function isDefault(value: unknown): boolean {
  return value === 0 || value === '' || value === false
}

function decodeValue(field: Field, raw: bigint | Buffer): unknown {
  if (typeof raw === 'bigint') {
    if (field.kind === 'bool') return raw !== 0n
    if (field.kind === 'enum') return field.names?.[Number(raw)] ?? Number(raw)
    if (field.kind === 'int') return Number(BigInt.asIntN(64, raw))
  } else {
    if (field.kind === 'message' && field.schema) return decodeMessage(field.schema, raw)
    if (field.kind === 'string') return raw.toString('utf8')
    if (field.kind === 'bytes') return raw.toString('hex')
  }
  throw new ProtobufError(`field ${field.id} has another wire type`)
}

function readValue(reader: Reader, wireType: number): bigint | Buffer | undefined {
  if (wireType === VARINT) return reader.varint()
  if (wireType === LENGTH_DELIMITED) return reader.take(Number(reader.varint()))
  if (wireType !== FIXED_32 && wireType !== FIXED_64) throw new ProtobufError('no such wire type')
  reader.take(wireType === FIXED_32 ? 4 : 8)
  return undefined
}

type Reader = { atEnd(): boolean; varint(): bigint; take(length: number): Buffer }

function createReader(bytes: Uint8Array): Reader {
  let at = 0
  const take = (length: number): Buffer => {
    if (at + length > bytes.length) throw new ProtobufError('the message ends too early')
    at += length
    return Buffer.from(bytes.subarray(at - length, at))
  }
  return {
    atEnd: () => at >= bytes.length,
    take,
    varint() {
      let value = 0n
      for (let shift = 0n; shift < 70n; shift += 7n) {
        const byte = take(1).readUInt8(0)
        value |= BigInt(byte & 0x7f) << shift
        if (byte < 0x80) return value
      }
      throw new ProtobufError('an integer is too long')
    },
  }
}
