import { typedText } from '@dct/money'
import { type FormEvent, useState } from 'react'
import { useNavigate } from 'react-router'
import { useTexts } from '../../shared/i18n/texts.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { adminCaseTexts } from './admin-case.texts.ts'

/** Opens a case by a claim's code or a payment's hash. */
export function FindCase() {
  const text = useTexts(adminCaseTexts)
  const navigate = useNavigate()
  const [code, setCode] = useState('')
  const open = (event: FormEvent) => {
    event.preventDefault()
    const wanted = typedText(code)
    if (wanted !== '') void navigate(`/admin/cases/${encodeURIComponent(wanted)}`)
  }
  return (
    <Panel title={text('find')}>
      <form className="stack" onSubmit={open}>
        <CheckedField
          label={text('code')}
          hint={text('findHint')}
          spellCheck={false}
          value={code}
          onType={setCode}
        />
        <p>
          <button type="submit" className="button">
            {text('open')}
          </button>
        </p>
      </form>
    </Panel>
  )
}
