import type { CaseReply } from '@dct/api-contract/reports'
import { type FormEvent, useId, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useAddNote } from './admin-case.api.ts'
import { adminCaseTexts } from './admin-case.texts.ts'

type CaseNotesProps = { code: string; notes: CaseReply['notes'] }

/** The admins' notes on a case. */
export function CaseNotes({ code, notes }: CaseNotesProps) {
  const text = useTexts(adminCaseTexts)
  const id = useId()
  const [typed, setTyped] = useState('')
  const add = useAddNote(code)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    add.mutate(typed.trim(), {
      onSuccess: () => setTyped(''),
      onError: (error) => toast.error(errorText(error, text('noteFailed'))),
    })
  }
  return (
    <Panel title={text('notes')}>
      {notes.length === 0 && <p className="soft">{text('noNotes')}</p>}
      <ul className="records stack">
        {notes.map((note) => (
          <li key={note.id}>
            <p className="soft small">
              <DateTime value={note.at} /> · <span title={note.by}>{shorten(note.by)}</span>
            </p>
            <p>{note.text}</p>
          </li>
        ))}
      </ul>
      <form className="stack" onSubmit={submit}>
        <div className="field">
          <label className="field__label" htmlFor={id}>
            {text('note')}
          </label>
          <textarea
            id={id}
            className="input"
            rows={3}
            maxLength={2_000}
            value={typed}
            aria-describedby={`${id}-hint`}
            onChange={(event) => setTyped(event.target.value)}
          />
          <p id={`${id}-hint`} className="soft small">
            {text('noteHint')}
          </p>
        </div>
        <p>
          <button type="submit" className="button" disabled={typed.trim() === '' || add.isPending}>
            {text('addNote')}
          </button>
        </p>
      </form>
    </Panel>
  )
}
