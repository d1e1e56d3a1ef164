import type { TronNode } from '../injected.ts'

/** Long enough for a node that is busy; a page that waits longer shows nothing. */
const ANSWERS_WITHIN_MS = 20_000

/** The node that the service names for browsers, for wallets that bring none. */
export function browserNode(fullHost: string): TronNode {
  const base = fullHost.replace(/\/$/, '')
  return {
    fullNode: {
      async request(path, payload) {
        const reply = await fetch(`${base}/${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(payload),
          signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
        })
        return reply.json()
      },
    },
  }
}
