import { Listeners } from '../lib/listeners.ts'

const TOKEN_KEY = 'authToken'
const EXPIRED_KEY = 'sessionExpired'
const listeners = new Listeners()

/** The session token in local storage; changes made in other tabs are detected as well. */
export const tokenStore = {
  get: (): string | null => localStorage.getItem(TOKEN_KEY),
  /** Whether the last session expired or was ended, rather than left by logging out; survives reloads. */
  hasExpired: (): boolean => localStorage.getItem(EXPIRED_KEY) !== null,
  set(token: string): void {
    localStorage.setItem(TOKEN_KEY, token)
    localStorage.removeItem(EXPIRED_KEY)
    listeners.call()
  },
  remove(): void {
    localStorage.removeItem(TOKEN_KEY)
    listeners.call()
  },
  /** Removes a token that no longer identifies a user, unless a newer login has replaced it. */
  expire(token: string): void {
    if (tokenStore.get() !== token) return
    localStorage.setItem(EXPIRED_KEY, 'yes')
    tokenStore.remove()
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
    const stop = listeners.subscribe(listener)
    window.addEventListener('storage', listener)
    return () => {
      stop()
      window.removeEventListener('storage', listener)
    }
  },
}
