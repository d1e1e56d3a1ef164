/** A copy that shares nothing that can change. Far quicker than `structuredClone` for the small states of chains. */
export function copyOf<T>(value: T): T {
  return copyAny(value) as T
}

function copyAny(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(copyAny)
  if (value instanceof Map) {
    const copy = new Map<unknown, unknown>()
    for (const [key, one] of value) copy.set(key, copyAny(one))
    return copy
  }
  const copy: Record<string, unknown> = {}
  for (const [name, one] of Object.entries(value)) copy[name] = copyAny(one)
  return copy
}
