import { Listeners } from '../lib/listeners.ts'
import { deviceMemory } from '../storage/memory.ts'

const TOKEN_KEY = 'authToken'
const EXPIRED_KEY = 'sessionExpired'
/** Anything else cannot be a token: browsers refuse to send most of it. */
const TOKEN = /^[\w.~+/=-]{1,1000}$/
const listeners = new Listeners()

/** The token of the session whose data this page shows; null for a visitor's page. */
let own: string | null = null
let isReplacedReported = false

/** Once, and later: reading the token may be part of rendering. */
function reportReplaced(): void {
  if (isReplacedReported) return
  isReplacedReported = true
  queueMicrotask(listeners.call)
}

function stored(): string | null {
  const text = deviceMemory.getItem(TOKEN_KEY) ?? ''
  return TOKEN.test(text) ? text : null
}

/** The session token in local storage. A page never uses the token of another session than the one it shows. */
export const tokenStore = {
  /** This page's token; null as soon as another tab has removed or replaced it. */
  get(): string | null {
    const token = stored()
    own ??= token
    if (token === own) return own
    if (token !== null) reportReplaced()
    return null
  },
  /** Whether another session's token has been stored, so that this page must be loaded again. */
  isReplaced(): boolean {
    const token = stored()
    return own !== null && token !== null && own !== token
  },
  /** Whether the last session expired or was ended, rather than left by logging out; survives reloads. */
  hasExpired: (): boolean => deviceMemory.getItem(EXPIRED_KEY) !== null,
  set(token: string): void {
    own = token
    deviceMemory.setItem(TOKEN_KEY, token)
    deviceMemory.removeItem(EXPIRED_KEY)
    listeners.call()
  },
  remove(): void {
    if (stored() === own) deviceMemory.removeItem(TOKEN_KEY)
    if (!tokenStore.isReplaced()) own = null
    listeners.call()
  },
  /** Removes a token that no longer identifies a user, unless a newer login has replaced it. */
  expire(token: string): void {
    if (tokenStore.get() !== token) return
    deviceMemory.setItem(EXPIRED_KEY, 'yes')
    tokenStore.remove()
  },
  /** Follows a login or a logout in another tab; not a replacement, after which this page must be loaded again. */
  catchUp(): void {
    const token = stored()
    if (own === token || tokenStore.isReplaced()) return
    own = token
    listeners.call()
  },
  subscribe: listeners.subscribe,
}
