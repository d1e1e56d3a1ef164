import { createHash } from 'node:crypto'

/** The code that a contract runs, as `0x…`, and the positions of the bytes that its constructor sets. */
export type Runtime = { code: string; immutables: readonly { start: number; length: number }[] }

/** Whether code found at an address is that of a contract as this repository builds it. */
export function isCodeOf(found: string, runtime: Runtime): boolean {
  return digestOf(found, runtime) === digestOf(runtime.code, runtime)
}

/**
 * A digest of what the code does: values that the constructor set are zeroed, and the compiler's metadata, which
 * changes with every comment in the source, is left out.
 */
function digestOf(code: string, { immutables }: Runtime): string {
  const bytes = withoutMetadata(Buffer.from(code.slice(2), 'hex'))
  for (const { start, length } of immutables) {
    bytes.fill(0, Math.min(start, bytes.length), Math.min(start + length, bytes.length))
  }
  return createHash('sha256').update(bytes).digest('hex')
}

/** The metadata ends with two bytes for the length of the rest, which is a CBOR map. */
const LENGTH_BYTES = 2
const [FIRST_CBOR_MAP, LAST_CBOR_MAP] = [0xa1, 0xa4]

function withoutMetadata(code: Buffer): Buffer {
  if (code.length < LENGTH_BYTES) return code
  const start = code.length - LENGTH_BYTES - code.readUInt16BE(code.length - LENGTH_BYTES)
  const first = code[start]
  const isMap = first !== undefined && first >= FIRST_CBOR_MAP && first <= LAST_CBOR_MAP
  return isMap ? code.subarray(0, start) : code
}
