import { useWallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { Callout } from '../ui/callout.tsx'
import { walletTexts } from './wallet.texts.ts'

type WalletWaitProps = {
  /** The wallet's name, if it is not the connected one. */
  name?: string | undefined
  /** Absent where the dialog around it has a button that cancels. */
  onCancel?: () => void
}

/** Shown while a wallet is asked something: what to do if nothing happens, and a way out at once. */
export function WalletWait({ name, onCancel }: WalletWaitProps) {
  const text = useTexts(walletTexts)
  const { walletName, isRemote } = useWallet()
  const wallet = name ?? walletName ?? 'TronLink'
  return (
    <Callout role="status">
      <p>{text(isRemote ? 'waitRemote' : 'wait', { wallet })}</p>
      {onCancel && (
        <p>
          <button type="button" className="text-button small" onClick={onCancel}>
            {text('cancelWait')}
          </button>
        </p>
      )}
    </Callout>
  )
}
