import { fromBase58, type HexAddress, isHexAddress, toBase58 } from './address.ts'
import { NodeException, PARSE_EXCEPTION } from './node.ts'

export type Json = Record<string, unknown>

const ADDRESS_FIELDS = new Set([
  'address',
  'contract_address',
  'origin_address',
  'owner_address',
  'to_address',
  'witness_address',
])
const TEXT_FIELDS = new Set(['message', 'resMessage'])

export function utf8ToHex(text: string): string {
  return Buffer.from(text, 'utf8').toString('hex')
}

/** Omits default values: the protocol's JSON never shows a zero. */
export function compact(fields: Json): Json {
  const shown = Object.entries(fields).filter(
    ([, value]) => value !== undefined && value !== 0 && value !== '' && value !== false,
  )
  return Object.fromEntries(shown)
}

/** Converts the values in JSON that are neither lists nor objects. `field` and `parent` are the nearest two names. */
export function mapValues(
  value: unknown,
  convert: (value: unknown, field: string, parent: string) => unknown,
  [field, parent]: readonly [string, string] = ['', ''],
): unknown {
  if (Array.isArray(value)) return value.map((item) => mapValues(item, convert, [field, parent]))
  if (typeof value !== 'object' || value === null) return convert(value, field, parent)
  const entries = Object.entries(value).map(([key, inner]) => [
    key,
    mapValues(inner, convert, [key, field]),
  ])
  return Object.fromEntries(entries)
}

/** Converts a reply for callers that set `visible`: addresses as `T…`, messages as text. */
export function toVisible(reply: unknown): unknown {
  return mapValues(reply, (value, field, parent) => {
    if (isMemo(field, parent)) return hexToUtf8(`${value}`)
    if (typeof value !== 'string') return value
    if (TEXT_FIELDS.has(field)) return hexToUtf8(value)
    if (!ADDRESS_FIELDS.has(field)) return value
    // Addresses in logs have 20 bytes.
    const address = value.length === 40 ? `41${value}` : value
    return isHexAddress(address) ? toBase58(address) : value
  })
}

/** The inverse, for requests with `visible`. */
export function fromVisible(request: Json): Json {
  return mapValues(request, (value, field, parent) => {
    if (isMemo(field, parent)) return utf8ToHex(`${value}`)
    return ADDRESS_FIELDS.has(field) && typeof value === 'string' ? readAddress(value, true) : value
  }) as Json
}

/** A memo is text, but the data of a call stays hex. */
function isMemo(field: string, parent: string): boolean {
  return field === 'data' && parent === 'raw_data'
}

export function hexToUtf8(hex: string): string {
  return Buffer.from(hex, 'hex').toString('utf8')
}

/** @throws NodeException for an address that is not in the form given by `visible` */
export function readAddress(text: unknown, isVisible: boolean): HexAddress {
  if (typeof text !== 'string' || text === '') {
    throw new NodeException('java.lang.IllegalArgumentException', 'address is missing')
  }
  const hex = text.replace(/^0x/, '').toLowerCase()
  const address = isVisible ? fromBase58(text) : isHexAddress(hex) ? hex : undefined
  if (address) return address
  if (isVisible) {
    const words = 'Cannot read the array length because "bytes" is null'
    throw new NodeException('java.lang.NullPointerException', words)
  }
  throw new NodeException(PARSE_EXCEPTION, `1:12: INVALID hex String, ${text}`)
}
