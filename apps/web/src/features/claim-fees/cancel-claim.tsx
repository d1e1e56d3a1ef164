import type { PendingClaimFee } from '@dct/api-contract/claims'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { api } from '../../shared/api/client.ts'
import { refreshClaims } from '../../shared/api/refresh-claims.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { CancelButton, Dialog } from '../../shared/ui/dialog.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { feeTexts } from './claim-fees.texts.ts'

/** Lets the holder cancel a claim as soon as the service allows it: an unpaid FULL claim, a day after it was made. */
export function CancelClaim({ fee }: { fee: PendingClaimFee }) {
  const text = useTexts(feeTexts)
  const now = useBusinessNow()
  const [isAsking, setIsAsking] = useState(false)
  const from = fee.cancellable_from
  if (from === null || now.getTime() < new Date(from).getTime()) return null
  return (
    <>
      <button type="button" className="text-button small" onClick={() => setIsAsking(true)}>
        {text('cancelClaim')}
      </button>
      {isAsking && <CancelDialog codeClaim={fee.code_claim} onClose={() => setIsAsking(false)} />}
    </>
  )
}

function CancelDialog({ codeClaim, onClose }: { codeClaim: string; onClose(): void }) {
  const text = useTexts(feeTexts)
  const queryClient = useQueryClient()
  const cancel = useAction({
    mutationFn: () =>
      api.post<{ message: string }>('/user/cancel-claim', { code_claim: codeClaim }),
    onSuccess: async ({ message }) => {
      toast.money(message)
      await refreshClaims(queryClient)
      onClose()
    },
    onError: (error) => toast.error(errorText(error, text('cancelFailed'))),
  })
  return (
    <Dialog
      title={text('cancelTitle', { code: codeClaim })}
      onClose={onClose}
      isBusy={cancel.isPending}
    >
      <p>{text('cancelText')}</p>
      <div className="dialog__actions">
        <CancelButton>{text('keepClaim')}</CancelButton>
        <button
          type="button"
          className="button"
          disabled={cancel.isPending}
          onClick={() => cancel.mutate()}
        >
          {text('cancelClaim')}
        </button>
      </div>
    </Dialog>
  )
}
