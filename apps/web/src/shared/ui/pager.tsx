import { type FormEvent, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { UI_WORDING, uiTexts } from './ui.texts.ts'
import './pager.css'

type PagerProps = {
  page: number
  totalPages: number
  /** The number of rows on all pages; undefined while it is unknown. */
  total: number | undefined
  /** There are more pages than were counted. */
  isCapped: boolean
  /** Whether this page has rows: beyond the counted pages, an empty page is the end. */
  isFilled: boolean
  onPage(page: number): void
  name: string
}

/** With at least this many pages, a page can be chosen by its number. */
const JUMP_FROM = 3

/** The total, Prev, Next and "Page X of Y", and a field for a page's number; "Y+" means at least Y. */
export function Pager({ page, totalPages, total, isCapped, isFilled, onPage, name }: PagerProps) {
  const text = useTexts(uiTexts)
  const last = Math.max(totalPages, 1)
  return (
    <nav className="pager" aria-label={name}>
      {total !== undefined && total > 0 && (
        <span className="pager__place pager__total">
          {text(isCapped ? 'totalCapped' : 'total', { count: total })}
        </span>
      )}
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
      {last >= JUMP_FROM && <PageJump last={last} onPage={onPage} />}
    </nav>
  )
}

function PageJump({ last, onPage }: Pick<PagerProps, 'onPage'> & { last: number }) {
  const text = useTexts(uiTexts)
  const [typed, setTyped] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = Number.parseInt(typed, 10)
    if (Number.isNaN(wanted)) return
    onPage(Math.min(Math.max(wanted, 1), last))
    setTyped('')
  }
  return (
    <form className="pager__jump" onSubmit={submit} noValidate>
      <input
        className="input"
        inputMode="numeric"
        autoComplete="off"
        aria-label={text('jumpTo', { last })}
        placeholder={text('jumpPlaceholder')}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <button type="submit" className="button button--quiet button--small">
        {text('jump')}
      </button>
    </form>
  )
}
