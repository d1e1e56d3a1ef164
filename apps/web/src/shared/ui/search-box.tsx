import { type FormEvent, useEffect, useEffectEvent, useId } from 'react'
import { useAddressDraft } from '../lib/use-address-draft.ts'
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
  const [typed, setTyped, search] = useAddressDraft(value, onSearch)
  const searchNow = useEffectEvent(search)

  useEffect(() => {
    if (isByButton) return undefined
    const timer = setTimeout(() => searchNow(typed), TYPING_PAUSE_MS)
    return () => clearTimeout(timer)
  }, [typed, isByButton])

  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(typed)
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
