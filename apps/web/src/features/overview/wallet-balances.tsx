import { formatUnits } from '@dct/money'
import { useState } from 'react'
import { useBalances } from '../../shared/chain/use-balances.ts'
import { useWallet } from '../../shared/chain/wallet-provider.tsx'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { useSession } from '../../shared/session/session.tsx'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { useErrorToast } from '../../shared/ui/use-error-toast.ts'
import { WalletConnection } from '../../shared/wallet/wallet-connection.tsx'
import { OVERVIEW_WORDING, overviewTexts } from './overview.texts.ts'
import './overview.css'

const TRX_DECIMALS = 6

/** The connected wallet's balances in one line. Unknown values are never shown as 0. */
export function WalletBalances() {
  const text = useTexts(overviewTexts)
  const wallet = useWallet()
  const { user } = useSession()
  const balances = useBalances(usePublicConfig()?.tron.token)
  useErrorToast(balances.error, OVERVIEW_WORDING.balancesFailed)

  const { data } = balances
  const { address } = wallet
  // While the wallet is searched for, asking to connect it would be wrong a moment later.
  if (wallet.address === undefined && wallet.status !== 'searching') return <ConnectLine />
  return (
    <section className="stack stack--tight" aria-label={text('balances')}>
      <dl className="balances" aria-busy={balances.isFetching}>
        <div>
          <dt className="visually-hidden">{text('tokenBalance')}</dt>
          <dd>
            <Amount value={data && formatUnits(data.token, data.tokenDecimals)} unit="DCT" />
          </dd>
        </div>
        <div>
          <dt className="visually-hidden">{text('trxBalance')}</dt>
          <dd>
            <Amount value={data && formatUnits(data.trx, TRX_DECIMALS)} unit="TRX" />
          </dd>
        </div>
      </dl>
      {balances.isError && (
        <Callout tone="warn">
          <p>
            {text('balancesFailed')}{' '}
            <button type="button" className="text-button" onClick={() => void balances.refetch()}>
              {text('retry')}
            </button>
          </p>
        </Callout>
      )}
      {address !== undefined && address !== user?.tron_address && (
        <Callout tone="warn">
          {text('otherWallet', {
            wallet: shorten(address),
            user: shorten(user?.tron_address ?? ''),
          })}
        </Callout>
      )}
    </section>
  )
}

/** In place of the balances: the way to a wallet, which closes once one is connected. */
function ConnectLine() {
  const text = useTexts(overviewTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <p className="balances">
      <button type="button" className="text-button" onClick={() => setIsOpen(true)}>
        {text('connect')}
      </button>
      {isOpen && (
        <Dialog title={text('connect')} onClose={() => setIsOpen(false)}>
          <WalletConnection />
        </Dialog>
      )}
    </p>
  )
}
