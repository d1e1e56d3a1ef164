import { useTexts } from '../i18n/texts.ts'
import { UI_WORDING, uiTexts } from './ui.texts.ts'
import './pager.css'

type PagerProps = {
  page: number
  totalPages: number
  /** There are more pages than were counted. */
  isCapped: boolean
  /** Whether this page has rows: beyond the counted pages, an empty page is the end. */
  isFilled: boolean
  onPage(page: number): void
  name: string
}

/** Prev, Next and "Page X of Y"; "Y+" means at least Y. */
export function Pager({ page, totalPages, isCapped, isFilled, onPage, name }: PagerProps) {
  const text = useTexts(uiTexts)
  const last = Math.max(totalPages, 1)
  return (
    <nav className="pager" aria-label={name}>
      <button
        type="button"
        className="button button--quiet button--small"
        disabled={page <= 1}
        onClick={() => onPage(Math.min(page - 1, last))}
      >
        {UI_WORDING.previousPage}
      </button>
      <span className="pager__place" aria-live="polite">
        {text('pageOf', { page, last })}
        {isCapped && '+'}
      </span>
      <button
        type="button"
        className="button button--quiet button--small"
        disabled={page >= last && !(isCapped && isFilled)}
        onClick={() => onPage(page + 1)}
      >
        {UI_WORDING.nextPage}
      </button>
    </nav>
  )
}
