/** An empty or filled stand-in for the browser's storage; `stored` is its content. */
export function memory(entries: Readonly<Record<string, string>> = {}) {
  const stored = new Map(Object.entries(entries))
  return {
    stored,
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  }
}
