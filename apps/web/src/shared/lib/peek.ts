import { attempt } from './attempt.ts'

/** A property of an object that others made; undefined if there is none, and if it cannot be read. */
export function peek(value: unknown, key: string): unknown {
  if (value === undefined || value === null) return undefined
  return attempt(() => Reflect.get(Object(value), key))
}

/** The same for a property that must be text. */
export function peekText(value: unknown, key: string): string | undefined {
  const found = peek(value, key)
  return typeof found === 'string' ? found : undefined
}

/** The same for a property that must be an object or a function. */
export function peekObject(value: unknown, key: string): object | undefined {
  const found = peek(value, key)
  return isObject(found) ? found : undefined
}

export function isObject(value: unknown): value is object {
  return (typeof value === 'object' && value !== null) || typeof value === 'function'
}
