import type { Config } from './config.ts'
import { PUBLIC_NODES } from './settings/schema.ts'

/** A node that pages may ask without a key; a private network has only its own. */
export function browserTronNode({
  tron,
  devnet,
  origin,
}: Pick<Config, 'tron' | 'devnet' | 'origin'>): string {
  if (devnet || tron.network === 'devnet') return `${origin}/tron`
  return tron.network === 'private' ? (tron.fullHosts[0] ?? '') : PUBLIC_NODES[tron.network]
}
