import { useWallet, type Wallet } from '../chain/wallet-provider.tsx'
import { useTexts } from '../i18n/texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { AccountsHelp, DeviceHelp, LinkHelp } from './connect-help.tsx'
import { type ConnectHelp, useGuidedConnect } from './use-guided-connect.ts'
import { walletTexts } from './wallet.texts.ts'
import { KNOWN_WALLETS, type KnownWallet } from './wallet-links.ts'
import { WalletWait } from './wallet-wait.tsx'
import './wallet-dialog.css'

type Listed = Wallet['wallets'][number]

type Reached = 'found' | 'byCode' | 'byUsb'

/** How the wallets that are not in this browser are reached, which is shown beside their name. */
const REACHED_BY: Readonly<Record<string, Reached>> = { walletconnect: 'byCode', ledger: 'byUsb' }

function howReached({ id }: Listed): Reached {
  return REACHED_BY[id] ?? 'found'
}

/**
 * All wallets in one place: this browser's to connect, those on other devices, and the other known ones to install or
 * to open on a phone. If connecting needs the user's help, such as scanning a code, that replaces the list.
 */
export function WalletDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(walletTexts)
  const { wallets } = useWallet()
  const { connect, connecting, help, giveUp } = useGuidedConnect(onClose)
  if (help) return <HelpDialog help={help} onBack={giveUp} onClose={onClose} />
  const asked = wallets.find(({ id }) => id === connecting)
  const others = KNOWN_WALLETS.filter((known) => !wallets.some(({ id }) => id === known.id))
  return (
    <Dialog title={text('chooseTitle')} onClose={onClose}>
      {wallets.every((wallet) => howReached(wallet) !== 'found') && <p>{text('noneFound')}</p>}
      <ul className="wallet-list">
        {wallets.map((wallet) => (
          <li key={wallet.id}>
            <WalletButton wallet={wallet} connecting={connecting} onChoose={connect} />
          </li>
        ))}
        {others.map((wallet) => (
          <li key={wallet.id}>
            <OtherWallet wallet={wallet} />
          </li>
        ))}
      </ul>
      {asked && <WalletWait name={asked.name} onCancel={giveUp} />}
      <p className="soft small">{text('chooseHint')}</p>
    </Dialog>
  )
}

const TITLES = { link: 'scanTitle', device: 'deviceTitle', accounts: 'accountsTitle' } as const

type HelpDialogProps = { help: ConnectHelp; onBack(): void; onClose(): void }

function HelpDialog({ help, onBack, onClose }: HelpDialogProps) {
  const text = useTexts(walletTexts)
  return (
    <Dialog title={text(TITLES[help.name])} onClose={onClose}>
      {help.name === 'link' && <LinkHelp uri={help.uri} />}
      {help.name === 'device' && <DeviceHelp {...help} />}
      {help.name === 'accounts' && <AccountsHelp {...help} />}
      <button type="button" className="text-button small" onClick={onBack}>
        {text('backToWallets')}
      </button>
    </Dialog>
  )
}

type WalletButtonProps = {
  wallet: Listed
  /** The wallet that is being connected; meanwhile no other can be chosen. */
  connecting: string | undefined
  onChoose(walletId: string): void
}

function WalletButton({ wallet, connecting, onChoose }: WalletButtonProps) {
  const text = useTexts(walletTexts)
  const { id, name, icon } = wallet
  const reached = howReached(wallet)
  const isConnecting = connecting === id
  return (
    <button
      type="button"
      className="wallet-list__item"
      disabled={connecting !== undefined}
      aria-busy={isConnecting}
      onClick={() => onChoose(id)}
    >
      <WalletIcon name={name} icon={icon} />
      <span className="wallet-list__name">{name}</span>
      <span className="badge" data-tone={reached === 'found' ? 'good' : undefined}>
        {text(isConnecting ? 'connecting' : reached)}
      </span>
    </button>
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
        {appLink && (
          <a
            className="only-touch"
            href={appLink(window.location.href)}
            rel="noopener noreferrer"
            aria-label={text('openIn', { wallet: name })}
          >
            {text('openShort')}
          </a>
        )}
        <a
          href={installPage}
          target="_blank"
          rel="noopener noreferrer"
          aria-label={text('get', { wallet: name })}
        >
          {text('getShort')}
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
