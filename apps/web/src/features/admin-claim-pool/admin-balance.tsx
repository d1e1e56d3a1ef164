import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { POOL_WORDING, poolTexts } from './claim-pool.texts.ts'
import type { useAvailable } from './use-available.ts'
import './claim-pool.css'

type AdminBalanceProps = {
  funds: ReturnType<typeof useAvailable>
  approvedUnpaid: string | undefined
}

/** How much the vault can still pay, and its address. */
export function AdminBalance({ funds, approvedUnpaid }: AdminBalanceProps) {
  const text = useTexts(poolTexts)
  const { bsc, onChain } = funds
  return (
    <section className="panel" aria-label={text('balance')} aria-busy={funds.isLoading}>
      <dl className="facts">
        <div>
          <dt>{text('balance')}</dt>
          <dd>
            <Amount value={funds.available} unit="USDT" className="pool-balance__figure" />
          </dd>
          {onChain !== undefined && approvedUnpaid !== undefined && (
            <dd className="pool-balance__hint">
              {text('balanceHint', { onChain, unpaid: approvedUnpaid })}
            </dd>
          )}
        </div>
        {bsc !== undefined && (
          <div>
            <dt>{text('address')}</dt>
            <dd className="pool-balance__address">
              <ExplorerValue chain="bsc" kind="address" value={bsc.payout_address} isWhole />
              <CopyButton value={bsc.payout_address} label={text('copyAddress')} iconOnly />
            </dd>
            <dd className="pool-balance__hint">{text('wallet', { network: bsc.network })}</dd>
          </div>
        )}
      </dl>
      {funds.isUnknown && (
        <Callout tone="bad" role="alert">
          <p>{text('balanceUnknown')}</p>
        </Callout>
      )}
      <Callout tone="warn">
        <p>{POOL_WORDING.warning}</p>
      </Callout>
    </section>
  )
}
