import { type FormEvent, useCallback, useEffect, useId, useState } from 'react'
import { SearchIcon } from './icons.tsx'
import { UI_WORDING } from './ui.texts.ts'
import './search-box.css'

const TYPING_PAUSE_MS = 300

type SearchBoxProps = {
  label: string
  /** Default: the label. */
  placeholder?: string | undefined
  value: string
  onSearch(search: string): void
  isByButton?: boolean | undefined
}

/** A search box that searches after a short pause in typing, or on its button. */
export function SearchBox({
  label,
  placeholder = label,
  value,
  onSearch,
  isByButton = false,
}: SearchBoxProps) {
  const id = useId()
  const [typed, setTyped] = useState(value)
  const [known, setKnown] = useState(value)
  // Back and "Reset filters" change the value from outside, and the box follows; but when our own search comes back, it
  // must not overwrite what was typed since.
  if (value !== known) {
    setKnown(value)
    setTyped(value)
  }
  const search = useCallback(() => {
    setKnown(typed)
    onSearch(typed)
  }, [typed, onSearch])

  useEffect(() => {
    if (isByButton || typed === value) return undefined
    const timer = setTimeout(search, TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, value, isByButton, search])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    search()
  }
  return (
    <search>
      <form className="search-box" onSubmit={submit}>
        <label className="visually-hidden" htmlFor={id}>
          {label}
        </label>
        <SearchIcon className="search-box__icon" />
        <input
          id={id}
          className="input"
          type="search"
          value={typed}
          placeholder={placeholder}
          onChange={(event) => setTyped(event.target.value)}
        />
        {isByButton && (
          <button type="submit" className="button button--quiet">
            {UI_WORDING.search}
          </button>
        )}
      </form>
    </search>
  )
}
