import { type FormEvent, useId, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { adminCaseTexts } from './admin-case.texts.ts'

/** Opens a case by a claim's code or a payment's hash. */
export function FindCase() {
  const text = useTexts(adminCaseTexts)
  const navigate = useNavigate()
  const id = useId()
  const [code, setCode] = useState('')
  const open = (event: FormEvent) => {
    event.preventDefault()
    const wanted = code.trim()
    if (wanted !== '') void navigate(`/admin/cases/${encodeURIComponent(wanted)}`)
  }
  return (
    <section className="panel" aria-label={text('find')}>
      <h2>{text('find')}</h2>
      <form className="stack" onSubmit={open}>
        <div className="field">
          <label className="field__label" htmlFor={id}>
            {text('code')}
          </label>
          <input
            id={id}
            className="input"
            value={code}
            autoComplete="off"
            spellCheck={false}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setCode(event.target.value)}
          />
          <p id={`${id}-hint`} className="soft small">
            {text('findHint')}
          </p>
        </div>
        <p>
          <button type="submit" className="button">
            {text('open')}
          </button>
        </p>
      </form>
    </section>
  )
}
