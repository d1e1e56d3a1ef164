const TOKEN_KEY = 'authToken'
const listeners = new Set<() => void>()

/** The session token in local storage; changes made in other tabs are detected as well. */
export const tokenStore = {
  get: (): string | null => localStorage.getItem(TOKEN_KEY),
  set(token: string): void {
    localStorage.setItem(TOKEN_KEY, token)
    announce()
  },
  remove(): void {
    localStorage.removeItem(TOKEN_KEY)
    announce()
  },
  /** Subscribes to another tab replacing the token with a new login's. @returns a function that unsubscribes */
  onReplacedElsewhere(listener: () => void): () => void {
    const hear = ({ key, oldValue, newValue }: StorageEvent) => {
      if (key === TOKEN_KEY && oldValue && newValue) listener()
    }
    window.addEventListener('storage', hear)
    return () => window.removeEventListener('storage', hear)
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    window.addEventListener('storage', listener)
    return () => {
      listeners.delete(listener)
      window.removeEventListener('storage', listener)
    }
  },
}

function announce(): void {
  for (const listener of listeners) listener()
}
