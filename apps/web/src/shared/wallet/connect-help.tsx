import { useState } from 'react'
import type { DeviceAccount } from '../chain/found-wallet.ts'
import { toWalletError } from '../chain/wallet-error.ts'
import { useTexts } from '../i18n/texts.ts'
import { useAction } from '../lib/use-once.ts'
import { QrCode } from '../ui/qr-code.tsx'
import { toast } from '../ui/toast-store.ts'
import type { ConnectHelp } from './use-guided-connect.ts'
import { walletTexts } from './wallet.texts.ts'

/** A QR code to scan with a wallet on a phone; on the phone itself, a link. */
export function LinkHelp({ uri }: { uri: string }) {
  const text = useTexts(walletTexts)
  return (
    <div className="stack wallet-scan">
      <QrCode value={uri} label={text('scanLabel')} />
      <p>{text('scanHint')}</p>
      <a className="button button--wide button--quiet" href={uri} rel="noopener noreferrer">
        {text('scanOpen')}
      </a>
    </div>
  )
}

/** The accounts that a wallet shares, to choose one from. */
export function AccountsHelp({ addresses, choose }: Extract<ConnectHelp, { name: 'accounts' }>) {
  const text = useTexts(walletTexts)
  return (
    <div className="stack">
      <p>{text('accountsHint')}</p>
      <AccountList
        accounts={addresses.map((address, index) => ({ address, index }))}
        onChoose={({ address }) => choose(address)}
      />
    </div>
  )
}

type AccountListProps = {
  accounts: readonly DeviceAccount[]
  onChoose(account: DeviceAccount): void
}

function AccountList({ accounts, onChoose }: AccountListProps) {
  return (
    <ul className="wallet-list">
      {accounts.map((account) => (
        <li key={account.index}>
          <button type="button" className="wallet-list__item" onClick={() => onChoose(account)}>
            <span className="wallet-list__icon" aria-hidden="true">
              {account.index + 1}
            </span>
            <span className="code wallet-list__address">{account.address}</span>
          </button>
        </li>
      ))}
    </ul>
  )
}

/** How to prepare a hardware device, and then its accounts to choose from. */
export function DeviceHelp({ read, choose }: Extract<ConnectHelp, { name: 'device' }>) {
  const text = useTexts(walletTexts)
  const [accounts, setAccounts] = useState<readonly DeviceAccount[]>([])
  const reading = useAction({
    mutationFn: () => read(accounts.length),
    onSuccess: (more) => setAccounts((known) => [...known, ...more]),
    onError: (thrown) => toast.error(toWalletError(thrown).message),
  })
  const label = accounts.length > 0 ? 'deviceMore' : 'deviceFind'
  return (
    <div className="stack">
      {accounts.length === 0 ? (
        <ol className="wallet-steps">
          <li>{text('devicePlug')}</li>
          <li>{text('deviceOpen')}</li>
          <li>{text('deviceAllow')}</li>
        </ol>
      ) : (
        <>
          <p>{text('deviceChoose')}</p>
          <AccountList accounts={accounts} onChoose={choose} />
        </>
      )}
      <button
        type="button"
        className={accounts.length === 0 ? 'button button--wide' : 'button button--quiet'}
        disabled={reading.isPending}
        onClick={() => reading.mutate()}
      >
        {text(reading.isPending ? 'deviceReading' : label)}
      </button>
    </div>
  )
}
