import type { MessageReply } from '@dct/api-contract/common'
import { useQuery } from '@tanstack/react-query'
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
          <Link to="/notifications">{text('manageChannels')}</Link>
          <Link to="/user">{text('manageSessions')}</Link>
        </p>
      </Panel>
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

function CloseAccount() {
  const text = useTexts(yourDataTexts)
  const [isAsking, setIsAsking] = useState(false)
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
    <Panel title={text('close')}>
      <p className="soft">{text('closeText')}</p>
      <p>
        <QuietButton disabled={earnings?.some(isLocked)} onClick={() => setIsAsking(true)}>
          {text('close')}
        </QuietButton>
      </p>
      {isAsking && (
        <Dialog title={text('close')} onClose={() => setIsAsking(false)} isBusy={close.isPending}>
          <p>{text('closeText')}</p>
          <div className="dialog__actions">
            <CancelButton>{text('keep')}</CancelButton>
            <button
              type="button"
              className="button"
              disabled={close.isPending}
              onClick={() => close.mutate()}
            >
              {text('closeConfirm')}
            </button>
          </div>
        </Dialog>
      )}
    </Panel>
  )
}
