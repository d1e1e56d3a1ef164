import './pager.css'

type PagerProps = {
  page: number
  totalPages: number
  /** There are more pages than were counted. */
  isCapped: boolean
  /** Whether this page shows anything: beyond those that were counted, an empty one is the end. */
  isFilled: boolean
  onPage(page: number): void
  name: string
}

/** Prev, Next and "Page X of Y": wordings of the product, the same in every language. "Y+": at least so many. */
export function Pager({ page, totalPages, isCapped, isFilled, onPage, name }: PagerProps) {
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
        {isCapped && '+'}
      </span>
      <button
        type="button"
        className="button button--quiet button--small"
        disabled={page >= last && !(isCapped && isFilled)}
        onClick={() => onPage(page + 1)}
      >
        Next
      </button>
    </nav>
  )
}
