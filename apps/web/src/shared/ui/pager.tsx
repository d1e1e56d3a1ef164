import './pager.css'

type PagerProps = { page: number; totalPages: number; onPage(page: number): void; name: string }

/** Prev, Next and "Page X of Y": wordings of the product, the same in every language. */
export function Pager({ page, totalPages, onPage, name }: PagerProps) {
  const last = Math.max(totalPages, 1)
  return (
    <nav className="pager" aria-label={name}>
      <button
        type="button"
        className="button button--quiet button--small"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, last))}
      >
        Prev
      </button>
      <span className="pager__place" aria-live="polite">
        Page {page} of {last}
      </span>
      <button
        type="button"
        className="button button--quiet button--small"
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}
