import { useState } from 'react'
import { useWallet, type Wallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { Callout } from '../ui/callout.tsx'
import { CheckIcon } from '../ui/icons.tsx'
import { useGuidedConnect } from './use-guided-connect.ts'
import { WALLET_WORDING, walletTexts } from './wallet.texts.ts'
import { KNOWN_WALLETS } from './wallet-links.ts'
import { WalletWait } from './wallet-wait.tsx'
import './wallet-connection.css'
import { lazyDialog } from '../ui/lazy-part.tsx'

const WalletDialog = lazyDialog(async () => (await import('./wallet-dialog.tsx')).WalletDialog)
const [TRONLINK] = KNOWN_WALLETS

/** Shows whether a wallet is present and its address, and offers to connect it. */
export function WalletConnection() {
  const text = useTexts(walletTexts)
  const wallet = useWallet()
  if (wallet.status === 'connected') return <Connected wallet={wallet} />
  return (
    <div className="stack">
      <div className="wallet-status">
        <WalletStatus wallet={wallet} />
      </div>
      <ConnectButton wallet={wallet} />
      {wallet.status !== 'locked' && wallet.loadDevelopmentWallet && (
        <button
          type="button"
          className="button button--wide button--quiet"
          // Rendered from the start, so that nothing below it jumps when the search is over.
          disabled={wallet.status === 'searching'}
          onClick={wallet.loadDevelopmentWallet}
        >
          {text('developmentWallet')}
        </button>
      )}
    </div>
  )
}

function Connected({ wallet }: { wallet: Wallet }) {
  const text = useTexts(walletTexts)
  return (
    <div className="wallet-connected">
      <CheckIcon className="icon--good" />
      <div>
        <p className="soft small">
          {text('connected', { wallet: wallet.walletName ?? 'TronLink' })}
        </p>
        <p className="code">{wallet.address}</p>
        <OtherWallets label={text('otherWallet')} />
      </div>
    </div>
  )
}

function OtherWallets({ label }: { label: string }) {
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <>
      <button type="button" className="text-button small" onClick={() => setIsChoosing(true)}>
        {label}
      </button>
      {isChoosing && <WalletDialog onClose={() => setIsChoosing(false)} />}
    </>
  )
}

function WalletStatus({ wallet }: { wallet: Wallet }) {
  const text = useTexts(walletTexts)
  if (wallet.status === 'absent') {
    return (
      <Callout tone="warn" role="alert">
        <p>{WALLET_WORDING.notDetected}</p>
        <p className="row">
          <a
            className="button button--small only-touch"
            href={TRONLINK?.appLink?.(window.location.href)}
            rel="noopener noreferrer"
          >
            {text('openInApp')}
          </a>
          <a href={TRONLINK?.installPage} target="_blank" rel="noopener noreferrer">
            {text('install')}
          </a>
        </p>
      </Callout>
    )
  }
  return (
    <p className="soft small" role="status">
      {wallet.status === 'searching'
        ? text('searching')
        : text(wallet.isRemote ? 'lockedRemote' : 'locked', {
            wallet: wallet.walletName ?? 'TronLink',
          })}
    </p>
  )
}

/** Connects the only wallet at once; if there are several, or the user wants another one, a dialog offers them. */
function ConnectButton({ wallet }: { wallet: Wallet }) {
  const text = useTexts(walletTexts)
  const [isChoosing, setIsChoosing] = useState(false)
  const { connect, isConnecting, giveUp } = useGuidedConnect()
  const inPage = wallet.wallets.filter(({ isRemote }) => !isRemote)
  const mustChoose = inPage.length > 1 || wallet.isRemote
  return (
    <>
      <button
        type="button"
        // Without a wallet, getting one is the step to take.
        className={`button button--wide${wallet.status === 'absent' ? ' button--quiet' : ''}`}
        disabled={isConnecting}
        onClick={() => (mustChoose ? setIsChoosing(true) : connect(undefined))}
      >
        {WALLET_WORDING.connect}
      </button>
      {isConnecting && <WalletWait onCancel={giveUp} />}
      <OtherWallets label={text('otherWallets')} />
      {isChoosing && <WalletDialog onClose={() => setIsChoosing(false)} />}
    </>
  )
}
