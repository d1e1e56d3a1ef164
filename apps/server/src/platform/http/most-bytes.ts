/** The subset of JSON Schema that decides how long a body can be. */
export type SizedSchema = {
  type?: string | readonly string[]
  const?: unknown
  enum?: readonly unknown[]
  anyOf?: readonly SizedSchema[]
  properties?: Readonly<Record<string, SizedSchema>>
  items?: SizedSchema
  maxItems?: number
  maxLength?: number
  pattern?: string
}

/** A character outside the basic plane, escaped as two halves: `\ud83d\udca5`. */
const BYTES_PER_CHARACTER = 12
const QUOTES_AND_COMMA = 3
const BYTES_PER_VALUE = 64

/**
 * The most bytes that a value accepted by a schema has as JSON without spaces.
 * @param where names the schema in the error
 * @throws Error if the schema sets no limit
 */
export function mostBytesOf(schema: SizedSchema, where: string): number {
  const most = (part: SizedSchema, name: string) => mostBytesOf(part, `${where}.${name}`)
  if (schema.const !== undefined) return bytesOf(schema.const)
  if (schema.enum !== undefined) return Math.max(...schema.enum.map(bytesOf))
  if (schema.anyOf !== undefined) {
    return Math.max(...schema.anyOf.map((part) => mostBytesOf(part, where)))
  }
  switch ([schema.type].flat()[0]) {
    case 'string':
      return mostCharacters(schema, where) * BYTES_PER_CHARACTER + QUOTES_AND_COMMA
    case 'array': {
      if (schema.maxItems === undefined) throw new Error(`${where} has no maxItems`)
      return schema.maxItems * (most(schema.items ?? {}, 'items') + 1) + QUOTES_AND_COMMA
    }
    case 'object':
      return Object.entries(schema.properties ?? {}).reduce(
        (sum, [name, part]) => sum + bytesOf(name) + 1 + most(part, name),
        QUOTES_AND_COMMA,
      )
    default:
      return BYTES_PER_VALUE
  }
}

function mostCharacters({ maxLength, pattern }: SizedSchema, where: string): number {
  if (maxLength !== undefined) return maxLength
  const most = pattern === undefined ? undefined : lengthOf(pattern)
  if (most === undefined) throw new Error(`${where} has no maxLength`)
  return most
}

/** A limit of the length of the texts that a pattern matches; undefined if they may be of any length. */
function lengthOf(pattern: string): number | undefined {
  const bare = pattern.replaceAll(/\\.|\[[^\]]*\]/g, 'x')
  if (/[*+]|\{\d+,\}/.test(bare)) return undefined
  const repeated = [...bare.matchAll(/\{(?:\d+,)?(\d+)\}/g)]
  return repeated.reduce((sum, [, times]) => sum + Number(times), bare.length)
}

const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value)) + 1
