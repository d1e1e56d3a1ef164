import type { MessageReply } from '@dct/api-contract/common'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { errorText } from '../../shared/api/api-error.ts'
import { api } from '../../shared/api/client.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { isLocked } from '../../shared/lib/earning-status.ts'
import { saveBlob } from '../../shared/lib/save-blob.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { sessionQuery, useSession } from '../../shared/session/session.tsx'
import { tokenStore } from '../../shared/session/token-store.ts'
import { PresentTerms } from '../../shared/terms/present-terms.tsx'
import { termsTexts } from '../../shared/terms/terms.texts.ts'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { collectData } from './collect-data.ts'
import { yourDataTexts } from './your-data.texts.ts'

/** What is stored about a holder, why and for how long; all of it as a file, and the ways to remove it. */
export function YourData() {
  const text = useTexts(yourDataTexts)
  return (
    <>
      <SaveButton />
      <Panel title={useTexts(termsTexts)('privacy')}>
        <PresentTerms kind="privacy" />
        <p className="row">
          <Link to="/messages">{text('manageChannels')}</Link>
          <Link to="/user">{text('manageSessions')}</Link>
        </p>
      </Panel>
      <RegisteredEmail />
      <CloseAccount />
    </>
  )
}

function SaveButton() {
  const text = useTexts(yourDataTexts)
  const save = useAction({
    mutationFn: collectData,
    onSuccess: (data) => {
      const content = new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' })
      saveBlob({ name: 'your-data.json', content })
    },
    onError: (error) => toast.error(errorText(error, text('saveFailed'))),
  })
  return (
    <p>
      <button
        type="button"
        className="button"
        disabled={save.isPending}
        onClick={() => save.mutate()}
      >
        {text(save.isPending ? 'saving' : 'save')}
      </button>
    </p>
  )
}

function RegisteredEmail() {
  const text = useTexts(yourDataTexts)
  const queryClient = useQueryClient()
  const { user } = useSession()
  const remove = useAction({
    mutationFn: () => api.delete<MessageReply>('/user/registered-email'),
    onSuccess: async ({ message }) => {
      toast.success(message)
      await queryClient.invalidateQueries(sessionQuery(tokenStore.get()))
    },
    onError: (error) => toast.error(errorText(error, text('emailFailed'))),
  })
  if (!user?.email) return null
  return (
    <AskedFirst
      title={text('email')}
      sentence={text('emailText', { email: user.email })}
      labels={{ ask: text('emailRemove'), keep: text('emailKeep'), confirm: text('emailRemove') }}
      action={remove}
    />
  )
}

function CloseAccount() {
  const text = useTexts(yourDataTexts)
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const close = useAction({
    mutationFn: () => api.delete<MessageReply>('/user/account'),
    onSuccess: ({ message }) => {
      toast.success(message)
      tokenStore.remove() // the service has ended this session as well
    },
    onError: (error) => toast.error(errorText(error, text('closeFailed'))),
  })
  return (
    <AskedFirst
      title={text('close')}
      sentence={text('closeText')}
      labels={{ ask: text('close'), keep: text('keep'), confirm: text('closeConfirm') }}
      action={close}
      disabled={earnings?.some(isLocked)}
    />
  )
}

type AskedFirstProps = {
  title: string
  sentence: string
  labels: { ask: string; keep: string; confirm: string }
  action: { isPending: boolean; mutate(): void }
  disabled?: boolean | undefined
}

/** What cannot be undone, behind a question. */
function AskedFirst({ title, sentence, labels, action, disabled }: AskedFirstProps) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Panel title={title}>
      <p className="soft">{sentence}</p>
      <p>
        <QuietButton disabled={disabled} onClick={() => setIsAsking(true)}>
          {labels.ask}
        </QuietButton>
      </p>
      {isAsking && (
        <Dialog title={title} onClose={() => setIsAsking(false)} isBusy={action.isPending}>
          <p>{sentence}</p>
          <div className="dialog__actions">
            <CancelButton>{labels.keep}</CancelButton>
            <button
              type="button"
              className="button"
              disabled={action.isPending}
              onClick={() => action.mutate()}
            >
              {labels.confirm}
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  )
}
