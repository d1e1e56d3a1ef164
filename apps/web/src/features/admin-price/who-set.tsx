import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'

/** The admin who set or confirmed a value; in words where it was none. */
export function WhoSet({ address, none }: { address: string | null; none: string }) {
  return address === null ? (
    <span className="soft">{none}</span>
  ) : (
    <ExplorerValue chain="tron" kind="address" value={address} />
  )
}
