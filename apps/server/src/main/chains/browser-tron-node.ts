import type { Config } from '../config.ts'
import { PUBLIC_NODES } from '../settings/site-settings.ts'

/** The Tron node that pages may query without a key; for a private network, the first one in the settings. */
export function browserTronNode({
  tron,
  devnet,
  origin,
}: Pick<Config, 'tron' | 'devnet' | 'origin'>): string {
  if (devnet || tron.network === 'devnet') return `${origin}/tron`
  return tron.network === 'private' ? (tron.nodes[0]?.http ?? '') : PUBLIC_NODES[tron.network]
}
