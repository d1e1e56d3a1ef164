import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { toWalletError } from '../chain/wallet-error.ts'
import { useWallet, type Wallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { Notice } from '../ui/notice.tsx'
import { toast } from '../ui/toast-store.ts'
import { WALLET_WORDING, walletTexts } from './wallet.texts.ts'
import { appLink } from './wallet-links.ts'
import './wallet-connection.css'

const INSTALL_PAGE = 'https://www.tronlink.org/'

/** Shows whether a wallet is there and whose it is, and asks it to connect. */
export function WalletConnection() {
  const text = useTexts(walletTexts)
  const wallet = useWallet()
  if (wallet.status === 'connected') return <Connected wallet={wallet} />
  return (
    <div className="stack">
      <WalletStatus wallet={wallet} />
      <ConnectButton wallet={wallet} />
      {wallet.status === 'absent' && wallet.loadDevelopmentWallet && (
        <button
          type="button"
          className="button button--wide button--quiet"
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
      </div>
    </div>
  )
}

function WalletStatus({ wallet }: { wallet: Wallet }) {
  const text = useTexts(walletTexts)
  if (wallet.status === 'absent') {
    const inApp = appLink(window.location.href)
    return (
      <Notice tone="warn" role="alert">
        <p>{WALLET_WORDING.notDetected}</p>
        <p className="row">
          <a href={INSTALL_PAGE} target="_blank" rel="noreferrer">
            {text('install')}
          </a>
          <a className="only-touch" href={inApp}>
            {text('openInApp')}
          </a>
        </p>
      </Notice>
    )
  }
  return (
    <p className="soft small" role="status">
      {wallet.status === 'searching'
        ? text('searching')
        : text('locked', { wallet: wallet.walletName ?? 'TronLink' })}
    </p>
  )
}

function ConnectButton({ wallet }: { wallet: Wallet }) {
  const text = useTexts(walletTexts)
  const [walletId, setWalletId] = useState<string>()
  const connect = useMutation({
    mutationFn: () => wallet.connect(walletId),
    onError: (thrown) => toast.error(toWalletError(thrown).message),
  })
  return (
    <>
      {wallet.wallets.length > 1 && (
        <label className="field">
          <span className="field__label">{text('whichWallet')}</span>
          <select
            className="input"
            value={walletId ?? wallet.wallets[0]?.id}
            onChange={(event) => setWalletId(event.target.value)}
          >
            {wallet.wallets.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <button
        type="button"
        className="button button--wide"
        disabled={connect.isPending}
        onClick={() => connect.mutate()}
      >
        {WALLET_WORDING.connect}
      </button>
    </>
  )
}
