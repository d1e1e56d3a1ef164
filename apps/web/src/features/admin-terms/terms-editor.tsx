import type { AdminTermsReply } from '@dct/api-contract/terms'
import { LAST_DAY } from '@dct/rules/business-day'
import {
  fillTerms,
  type PublishedText,
  TERMS_LANGUAGES,
  type TermsLanguage,
} from '@dct/rules/terms-placeholders'
import { useId, useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useDraft } from '../../shared/lib/use-draft.ts'
import { TermsView } from '../../shared/terms/terms-view.tsx'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { adminTermsTexts } from './admin-terms.texts.ts'
import { type DraftProblem, draftProblem, isSameShape } from './draft-problem.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { TermsDiff } from './terms-diff.tsx'
import './admin-terms.css'

type EditorProps = { kind: PublishedText; terms: AdminTermsReply }
type Texts = Readonly<Record<TermsLanguage, string>>

/** Edits both languages side by side, and shows validation errors, a preview and the changes. */
export function TermsEditor({ kind, terms }: EditorProps) {
  const text = useTexts(adminTermsTexts)
  const [newest] = terms.versions
  const present = { id: newest?.text_id ?? '', en: newest?.text_en ?? '' }
  const base = newest?.version ?? ''
  const drafts = {
    id: useDraft(`${kind}.${base}.id`),
    en: useDraft(`${kind}.${base}.en`),
  }
  const [day, setDay] = useState(terms.today)
  const [isReviewing, setIsReviewing] = useState(false)

  const texts: Texts = { id: drafts.id[0] || present.id, en: drafts.en[0] || present.en }
  const problems = { id: draftProblem(kind, texts.id), en: draftProblem(kind, texts.en) }
  const isReadable = problems.id === undefined && problems.en === undefined
  const hasSameShape = isReadable && isSameShape(texts)
  const isUnchanged = texts.id === present.id && texts.en === present.en
  const earliest = [terms.today, newest?.effective_day ?? ''].toSorted().at(-1)
  return (
    <Panel title={text('edit')}>
      <p className="soft">{text('format')}</p>
      <Placeholders values={terms.placeholders} />
      <div className="terms-editor">
        {TERMS_LANGUAGES.map((language) => (
          <TextField
            key={language}
            language={language}
            value={texts[language]}
            problem={texts[language] === '' ? undefined : problems[language]}
            onType={drafts[language][1]}
          />
        ))}
      </div>
      {isReadable && !hasSameShape && (
        <p className="field__error" role="alert">
          {text('shapes')}
        </p>
      )}
      {isUnchanged ? (
        <p className="soft">
          {newest === undefined ? text('nothingYet') : text('unchanged', { version: base })}
        </p>
      ) : (
        <Changes base={base} before={present} after={texts} />
      )}
      {hasSameShape && (
        <details>
          <summary>{text('preview')}</summary>
          <TermsView texts={filled(texts, terms.placeholders)} />
        </details>
      )}
      <CheckedField
        label={text('day')}
        type="date"
        min={earliest}
        max={LAST_DAY}
        value={day}
        onType={setDay}
      />
      <div className="row">
        <button
          type="button"
          className="button"
          disabled={!hasSameShape || isUnchanged || day === ''}
          onClick={() => setIsReviewing(true)}
        >
          {text('review')}
        </button>
        {!isUnchanged && (
          <button
            type="button"
            className="button button--quiet"
            onClick={() => {
              for (const language of TERMS_LANGUAGES) drafts[language][1]('')
            }}
          >
            {text('restart')}
          </button>
        )}
      </div>
      {isReviewing && (
        <PublishDialog
          kind={kind}
          body={{ based_on: base, effective_day: day, text_id: texts.id, text_en: texts.en }}
          before={present}
          onClose={() => setIsReviewing(false)}
        />
      )}
    </Panel>
  )
}

function filled(texts: Texts, values: AdminTermsReply['placeholders']): Texts {
  return { id: fillTerms(texts.id, values), en: fillTerms(texts.en, values) }
}

function Placeholders({ values }: { values: AdminTermsReply['placeholders'] }) {
  const text = useTexts(adminTermsTexts)
  return (
    <details>
      <summary>{text('placeholders')}</summary>
      <p className="soft">{text('placeholdersHint')}</p>
      <PlainTable
        caption={text('placeholders')}
        columns={[{ header: text('placeholder') }, { header: text('value') }]}
        rows={Object.entries(values).map(([name, value]) => ({
          key: name,
          cells: [
            <code key="name" className="code">
              {`{{${name}}}`}
            </code>,
            value,
          ],
        }))}
      />
    </details>
  )
}

type TextFieldProps = {
  language: TermsLanguage
  value: string
  problem: DraftProblem | undefined
  onType(typed: string): void
}

function TextField({ language, value, problem, onType }: TextFieldProps) {
  const text = useTexts(adminTermsTexts)
  const id = useId()
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {text(`text${language}`)}
      </label>
      <textarea
        id={id}
        className="input"
        lang={language}
        spellCheck={false}
        value={value}
        aria-invalid={problem !== undefined}
        aria-describedby={problem === undefined ? undefined : `${id}-problem`}
        onChange={(event) => onType(event.target.value)}
      />
      {problem !== undefined && (
        <p id={`${id}-problem`} className="field__error" role="alert">
          {problem.kind === 'invalid'
            ? text('invalid', { excerpt: problem.excerpt })
            : text(problem.kind, { placeholder: `{{${problem.placeholder}}}` })}
        </p>
      )}
    </div>
  )
}

function Changes({ base, before, after }: { base: string; before: Texts; after: Texts }) {
  const text = useTexts(adminTermsTexts)
  return (
    <section className="stack" aria-label={text('diff', { version: base })}>
      <h3>{text('diff', { version: base })}</h3>
      <div className="terms-editor">
        {TERMS_LANGUAGES.map((language) => (
          <TermsDiff key={language} before={before[language]} after={after[language]} />
        ))}
      </div>
    </section>
  )
}
