/**
 * A property of an object that others made, such as a wallet. Undefined if there is none, and if reading it fails:
 * getters throw, and some objects refuse to be read at all.
 */
export function peek(value: unknown, key: string): unknown {
  try {
    return value === undefined || value === null ? undefined : Reflect.get(Object(value), key)
  } catch {
    return undefined
  }
}
