import type { TronNode } from '../injected.ts'

/** Long enough for a busy node; a page that waited longer would show nothing. */
const ANSWERS_WITHIN_MS = 20_000

/** The node that the service configures for browsers, used for wallets without their own. */
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
