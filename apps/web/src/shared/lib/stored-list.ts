/** The part of the browser's storage that is needed to remember something. */
export type Memory = Pick<Storage, 'getItem' | 'setItem'>

/** The entries of a list stored as JSON. Unreadable ones are left out: nothing is lost that the service does not know. */
export function storedList<T>(
  memory: Memory,
  key: string,
  isEntry: (value: unknown) => value is T,
): T[] {
  try {
    const stored: unknown = JSON.parse(memory.getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEntry) : []
  } catch {
    return []
  }
}
