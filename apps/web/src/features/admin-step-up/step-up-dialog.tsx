import { walletErrorText } from '../../shared/chain/wallet-error.ts'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useAction } from '../../shared/lib/use-once.ts'
import { stepUp } from '../../shared/session/auth.api.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { useSignature } from '../../shared/wallet/use-signature.ts'
import { WalletConnection } from '../../shared/wallet/wallet-connection.tsx'
import { WalletWait } from '../../shared/wallet/wallet-wait.tsx'
import { stepUpTexts } from './step-up.texts.ts'

/** Asks for a fresh signature. `onEnd` receives whether it was given. */
export function StepUpDialog({ onEnd }: { onEnd(isConfirmed: boolean): void }) {
  const text = useTexts(stepUpTexts)
  const wallet = useWallet()
  const { sign, isAsking } = useSignature()
  const own = useSession().user?.tron_address ?? ''
  const isOther = wallet.address !== undefined && wallet.address !== own
  const confirmation = useAction({
    mutationFn: () => stepUp(own, sign),
    onSuccess: () => onEnd(true),
  })
  return (
    <Dialog title={text('title')} onClose={() => onEnd(false)}>
      <p>{text('why')}</p>
      {wallet.status !== 'connected' && <WalletConnection />}
      {isOther && (
        <Callout tone="warn" role="alert">
          <p>{text('otherAccount', { address: shorten(own) })}</p>
        </Callout>
      )}
      {confirmation.error && (
        <Callout tone="bad" role="alert">
          <p>{walletErrorText(confirmation.error, text('failed'))}</p>
        </Callout>
      )}
      {isAsking && <WalletWait />}
      <div className="dialog__actions">
        <button type="button" className="button button--quiet" onClick={() => onEnd(false)}>
          {text('cancel')}
        </button>
        <button
          type="button"
          className="button"
          disabled={wallet.status !== 'connected' || isOther || confirmation.isPending}
          onClick={() => confirmation.mutate()}
        >
          {text(confirmation.isPending ? 'signing' : 'sign')}
        </button>
      </div>
    </Dialog>
  )
}
