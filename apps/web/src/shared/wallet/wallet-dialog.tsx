import type { Wallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { walletTexts } from './wallet.texts.ts'
import { KNOWN_WALLETS, type KnownWallet } from './wallet-links.ts'
import './wallet-dialog.css'

type WalletDialogProps = {
  wallets: Wallet['wallets']
  isConnecting: boolean
  onChoose(walletId: string): void
  onClose(): void
}

/** All wallets in one place: this browser's to connect, the other known ones to install or to open on a phone. */
export function WalletDialog({ wallets, isConnecting, onChoose, onClose }: WalletDialogProps) {
  const text = useTexts(walletTexts)
  const others = KNOWN_WALLETS.filter((known) => !wallets.some(({ id }) => id === known.id))
  return (
    <Dialog title={text('chooseTitle')} onClose={onClose}>
      {wallets.length === 0 && <p>{text('noneFound')}</p>}
      <ul className="wallet-list">
        {wallets.map(({ id, name, icon }) => (
          <li key={id}>
            <button
              type="button"
              className="wallet-list__item"
              disabled={isConnecting}
              onClick={() => onChoose(id)}
            >
              <WalletIcon name={name} icon={icon} />
              <span className="wallet-list__name">{name}</span>
              <span className="badge" data-tone="good">
                {text('found')}
              </span>
            </button>
          </li>
        ))}
        {others.map((wallet) => (
          <li key={wallet.id}>
            <OtherWallet wallet={wallet} />
          </li>
        ))}
      </ul>
      <p className="soft small">{text('chooseHint')}</p>
    </Dialog>
  )
}

function OtherWallet({ wallet }: { wallet: KnownWallet }) {
  const text = useTexts(walletTexts)
  const { name, installPage, appLink } = wallet
  return (
    <div className="wallet-list__item" data-state="missing">
      <WalletIcon name={name} icon={undefined} />
      <span className="wallet-list__name">{name}</span>
      <span className="row small">
        <a className="only-touch" href={appLink(window.location.href)}>
          {text('openIn', { wallet: name })}
        </a>
        <a href={installPage} target="_blank" rel="noopener noreferrer">
          {text('get', { wallet: name })}
        </a>
      </span>
    </div>
  )
}

/** The wallet's own icon, otherwise its first letter. */
function WalletIcon({ name, icon }: { name: string; icon: string | undefined }) {
  if (icon) return <img className="wallet-list__icon" src={icon} alt="" />
  return (
    <span className="wallet-list__icon" aria-hidden="true">
      {name.slice(0, 1)}
    </span>
  )
}
