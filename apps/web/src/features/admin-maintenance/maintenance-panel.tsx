import type { MaintenanceNotesReply } from '@dct/api-contract/status'
import { BUSINESS_ZONE_NAME, LAST_DAY } from '@dct/rules/business-day'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { api } from '../../shared/api/client.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { CheckedField } from '../../shared/ui/checked-field.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { uiTexts } from '../../shared/ui/ui.texts.ts'
import { maintenanceTexts } from './admin-maintenance.texts.ts'
import { instantOf, noteProblems } from './note-problems.ts'

const PATH = '/admin/maintenance-notes'
const notesQuery = queryOptions({
  queryKey: ['admin', 'maintenance'] as const,
  queryFn: ({ signal }) => api.get<MaintenanceNotesReply>(PATH, { signal }),
})

/** The maintenance announced on the status page, and a form to announce more. */
export function MaintenancePanel() {
  const text = useTexts(maintenanceTexts)
  const query = useQuery(notesQuery)
  const change = useChange()
  return (
    <Panel title={text('title')}>
      <p className="soft">{text('hint')}</p>
      {query.isError && (
        <LoadFailed onRetry={() => void query.refetch()}>{text('loadFailed')}</LoadFailed>
      )}
      {query.data?.notes.length === 0 && <p>{text('none')}</p>}
      {query.data?.notes.map((note) => (
        <article key={note.id} className="stack stack--tight">
          <p>
            <DateTime value={note.starts_at} /> – <DateTime value={note.ends_at} />
          </p>
          <p lang="id">{note.text_id}</p>
          <p lang="en">{note.text_en}</p>
          <p>
            <QuietButton
              disabled={change.isPending}
              onClick={() => change.mutate(() => api.delete(`${PATH}/${note.id}`))}
            >
              {text('end')}
            </QuietButton>
          </p>
        </article>
      ))}
      <NoteForm />
    </Panel>
  )
}

const ZONE = { zone: BUSINESS_ZONE_NAME }
/** Limits the year to four digits. */
const LAST_TIME = `${LAST_DAY}T23:59`
const EMPTY = { text_id: '', text_en: '', starts_at: '', ends_at: '' }

function NoteForm() {
  const text = useTexts(maintenanceTexts)
  const ui = useTexts(uiTexts)
  const change = useChange()
  const [draft, setDraft] = useState(EMPTY)
  const [problems, setProblems] = useState<ReturnType<typeof noteProblems>>({})
  const type = (name: keyof typeof EMPTY) => (typed: string) => {
    setDraft({ ...draft, [name]: typed })
    setProblems({})
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const found = noteProblems(draft)
    setProblems(found)
    if (Object.keys(found).length > 0) return
    const times = { starts_at: instantOf(draft.starts_at), ends_at: instantOf(draft.ends_at) }
    change.mutate(() => api.post(PATH, { ...draft, ...times }), {
      onSuccess: () => setDraft(EMPTY),
    })
  }
  const problemOf = (name: keyof typeof EMPTY) => {
    const problem = problems[name]
    if (problem === undefined) return undefined
    return problem === 'backwards' ? ui('backwards') : text('incomplete')
  }
  const field = (name: keyof typeof EMPTY) => ({
    value: draft[name],
    problem: problemOf(name),
    onType: type(name),
  })
  return (
    <form className="stack" noValidate onSubmit={submit}>
      <CheckedField label={text('textid')} lang="id" maxLength={500} {...field('text_id')} />
      <CheckedField label={text('texten')} lang="en" maxLength={500} {...field('text_en')} />
      <CheckedField
        label={text('starts', ZONE)}
        type="datetime-local"
        max={LAST_TIME}
        {...field('starts_at')}
      />
      <CheckedField
        label={text('ends', ZONE)}
        type="datetime-local"
        max={LAST_TIME}
        {...field('ends_at')}
      />
      <p>
        <button type="submit" className="button" disabled={change.isPending}>
          {text('announce')}
        </button>
      </p>
    </form>
  )
}

function useChange() {
  const text = useTexts(maintenanceTexts)
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: (send: () => Promise<{ message: string }>) => send(),
    onSuccess: ({ message }) => {
      toast.success(message)
      void queryClient.invalidateQueries(notesQuery)
    },
    onError: (error) => toast.error(errorText(error, text('failed'))),
  })
}
