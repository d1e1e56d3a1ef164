import { type FormEvent, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import type { ListControls } from '../lib/use-list-params.ts'
import { QuietButton } from './quiet-button.tsx'
import { UI_WORDING, uiTexts } from './ui.texts.ts'
import './pager.css'

/** One page of a list. */
export type ListPage<Row> = {
  rows: readonly Row[]
  totalPages: number
  /** The number of rows on all pages, if the service reports it. */
  total?: number
  /** The service counts long lists only up to a limit; there are more pages than it reports. */
  is_total_capped?: boolean
}

type PagerProps = {
  list: Pick<ListControls, 'state' | 'setPage'>
  /** Undefined while it is unknown. */
  data: ListPage<unknown> | undefined
  name: string
}

/** With at least this many pages, a page can be chosen by its number. */
const JUMP_FROM = 3

/** The total, Prev, Next and "Page X of Y", and a field for a page's number; "Y+" means at least Y. */
export function Pager({ list, data, name }: PagerProps) {
  const text = useTexts(uiTexts)
  const { page } = list.state
  const { rows = [], totalPages = 1, total = 0, is_total_capped: isCapped = false } = data ?? {}
  const last = Math.max(totalPages, 1)
  // Beyond the counted pages, an empty page is the end.
  const hasNext = page < last || (isCapped && rows.length > 0)
  return (
    <nav className="pager" aria-label={name}>
      {total > 0 && (
        <span className="pager__place pager__total">
          {text(isCapped ? 'totalCapped' : 'total', { count: total })}
        </span>
      )}
      <QuietButton disabled={page <= 1} onClick={() => list.setPage(Math.min(page - 1, last))}>
        {UI_WORDING.previousPage}
      </QuietButton>
      <span className="pager__place" aria-live="polite">
        {text('pageOf', { page, last })}
        {isCapped && '+'}
      </span>
      <QuietButton disabled={!hasNext} onClick={() => list.setPage(page + 1)}>
        {UI_WORDING.nextPage}
      </QuietButton>
      {last >= JUMP_FROM && <PageJump last={last} onPage={list.setPage} />}
    </nav>
  )
}

function PageJump({ last, onPage }: { last: number; onPage(page: number): void }) {
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
      <QuietButton type="submit">{text('jump')}</QuietButton>
    </form>
  )
}
