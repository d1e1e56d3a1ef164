/**
 * The shape of a reply: a kind for each value, `=text` for an exact text, `~text` for its beginning. A field whose name
 * ends with `?` is optional. A list has one shape for all its items.
 */
export type Shape = string | readonly [] | readonly [Shape] | { readonly [field: string]: Shape }

const KINDS: Record<string, (value: unknown) => boolean> = {
  any: () => true,
  null: (value) => value === null,
  true: (value) => value === true,
  false: (value) => value === false,
  number: (value) => typeof value === 'number',
  text: (value) => typeof value === 'string',
  address: hex(/^41[0-9a-f]{40}$/),
  base58: hex(/^T[1-9A-HJ-NP-Za-km-z]{33}$/),
  hex: hex(/^([0-9a-f]{2})*$/),
  id: hex(/^[0-9a-f]{64}$/),
  bytes20: hex(/^[0-9a-f]{40}$/),
  signature: hex(/^[0-9a-fA-F]{130}$/),
  quantity: hex(/^0x(0|[1-9a-f][0-9a-f]*)$/),
  data: hex(/^0x([0-9a-f]{2})*$/),
  hash: hex(/^0x[0-9a-f]{64}$/),
  account: hex(/^0x[0-9a-f]{40}$/),
}

function hex(pattern: RegExp): (value: unknown) => boolean {
  return (value) => typeof value === 'string' && pattern.test(value)
}

/** The places where a reply differs from the shape; empty if it matches. */
export function differences(shape: Shape, reply: unknown, at = ''): string[] {
  if (typeof shape === 'string')
    return fits(shape, reply) ? [] : [`${at} is not ${shape}: ${show(reply)}`]
  if (Array.isArray(shape)) {
    if (!Array.isArray(reply)) return [`${at} is not a list: ${show(reply)}`]
    const [item] = shape as readonly Shape[]
    if (item === undefined) return reply.length === 0 ? [] : [`${at} is not empty`]
    if (reply.length === 0) return [`${at} is empty`]
    return reply.flatMap((value, index) => differences(item, value, `${at}[${index}]`))
  }
  if (typeof reply !== 'object' || reply === null) return [`${at} is not an object: ${show(reply)}`]
  return differentFields(
    shape as Readonly<Record<string, Shape>>,
    reply as Record<string, unknown>,
    at,
  )
}

function differentFields(
  shape: Readonly<Record<string, Shape>>,
  reply: Record<string, unknown>,
  at: string,
): string[] {
  const fields = Object.entries(shape).map(([name, inner]) => ({
    name: name.replace(/\?$/, ''),
    isOptional: name.endsWith('?'),
    inner,
  }))
  const known = new Set(fields.map(({ name }) => name))
  const surplus = Object.keys(reply).filter((name) => !known.has(name))
  return [
    ...surplus.map((name) => `${at}.${name} is unknown to a real node`),
    ...fields.flatMap(({ name, isOptional, inner }) => {
      if (name in reply) return differences(inner, reply[name], `${at}.${name}`)
      return isOptional ? [] : [`${at}.${name} is missing`]
    }),
  ]
}

function fits(kind: string, value: unknown): boolean {
  if (kind.startsWith('=')) return value === kind.slice(1)
  if (kind.startsWith('~')) return typeof value === 'string' && value.startsWith(kind.slice(1))
  const test = KINDS[kind]
  if (!test) throw new Error(`unknown kind ${kind}`)
  return test(value)
}

function show(value: unknown): string {
  return `${JSON.stringify(value)}`.slice(0, 120)
}
