import { fromBase58, type HexAddress, isHexAddress, toBase58 } from './address.ts'
import { NodeException } from './node.ts'

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

/** Converts a reply for callers that set `visible`: addresses as `T…`, messages as text. */
export function toVisible(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => toVisible(item, field))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      // A memo is text, but the data of a call stays hex.
      key === 'raw_data' ? withMemo(inner, hexToUtf8) : toVisible(inner, key),
    ])
    return Object.fromEntries(entries)
  }
  if (typeof value !== 'string') return value
  if (TEXT_FIELDS.has(field)) return hexToUtf8(value)
  if (!ADDRESS_FIELDS.has(field)) return value
  // Addresses in logs have 20 bytes.
  const address = value.length === 40 ? `41${value}` : value
  return isHexAddress(address) ? toBase58(address) : value
}

/** The inverse, for requests with `visible`. */
export function fromVisible(value: unknown, field = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => fromVisible(item, field))
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).map(([key, inner]) => [
      key,
      key === 'raw_data' ? withMemo(inner, utf8ToHex, fromVisible) : fromVisible(inner, key),
    ])
    return Object.fromEntries(entries)
  }
  return ADDRESS_FIELDS.has(field) && typeof value === 'string' ? readAddress(value, true) : value
}

function withMemo(
  rawData: unknown,
  convert: (text: string) => string,
  rest: (value: unknown) => unknown = toVisible,
): unknown {
  const converted = rest(rawData)
  if (typeof converted !== 'object' || converted === null || !('data' in converted)) {
    return converted
  }
  return { ...converted, data: convert(`${converted.data}`) }
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
  throw new NodeException(
    'org.tron.core.services.http.JsonFormat$ParseException',
    `1:12: INVALID hex String, ${text}`,
  )
}
