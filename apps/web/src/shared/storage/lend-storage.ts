import { deviceMemory } from './memory.ts'

/**
 * Gives libraries, which use the browser's local storage themselves, a stand-in if it cannot be used, because they fail
 * without one.
 */
export function lendStorage(): void {
  if (deviceMemory.isLasting()) return
  const entries = new Map<string, string>()
  const standIn = {
    get length() {
      return entries.size
    },
    key: (index: number) => [...entries.keys()][index] ?? null,
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, String(value)),
    removeItem: (key: string) => void entries.delete(key),
    clear: () => entries.clear(),
  }
  Object.defineProperty(globalThis, 'localStorage', { configurable: true, value: standIn })
}
