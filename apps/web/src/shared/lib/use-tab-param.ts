import { useSearchParams } from 'react-router'
import { useCleanAddress } from './use-clean-address.ts'

/** The chosen tab, kept in the URL; a tab that is not offered falls back to the first. */
export function useTabParam(ids: readonly string[]): [string, (id: string) => void] {
  const [params, setParams] = useSearchParams()
  const asked = params.get('tab')
  const first = ids[0] ?? ''
  const active = asked !== null && ids.includes(asked) ? asked : first
  useCleanAddress((current) => {
    const next = new URLSearchParams(current)
    if (next.getAll('tab').join() !== active) next.delete('tab')
    return next
  })
  const choose = (id: string) =>
    void setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (id === first) next.delete('tab')
        else next.set('tab', id)
        return next
      },
      { preventScrollReset: true },
    )
  return [active, choose]
}
