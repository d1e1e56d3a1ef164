import { useSearchParams } from 'react-router'

/** The chosen tab, kept in the URL; a tab that is not offered falls back to the first. */
export function useTabParam(ids: readonly string[], name = 'tab'): [string, (id: string) => void] {
  const [params, setParams] = useSearchParams()
  const asked = params.get(name)
  const first = ids[0] ?? ''
  const active = asked !== null && ids.includes(asked) ? asked : first
  const choose = (id: string) =>
    void setParams(
      (current) => {
        const next = new URLSearchParams(current)
        if (id === first) next.delete(name)
        else next.set(name, id)
        return next
      },
      { preventScrollReset: true },
    )
  return [active, choose]
}
