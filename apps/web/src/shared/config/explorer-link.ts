export type ExplorerTarget = {
  chain: 'tron' | 'bsc'
  kind: 'address' | 'transaction'
  value: string
}

const TRANSACTION_PATH = { tron: 'transaction', bsc: 'tx' } as const

/** The explorer's URL for an address or a transaction; `explorer` is the chain's base URL. */
export function explorerLink(explorer: string, { chain, kind, value }: ExplorerTarget): string {
  const path = kind === 'address' ? 'address' : TRANSACTION_PATH[chain]
  return `${explorer.replace(/\/$/, '')}/${path}/${encodeURIComponent(value)}`
}
