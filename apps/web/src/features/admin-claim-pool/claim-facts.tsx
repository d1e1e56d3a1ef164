import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { poolTexts } from './claim-pool.texts.ts'

/** The claim a dialog is about: amount, owner and destination. */
export function ClaimFacts({ entry }: { entry: ClaimPoolEntry }) {
  const text = useTexts(poolTexts)
  return (
    <dl className="facts">
      <div>
        <dt>{text('amount')}</dt>
        <dd>
          <Amount value={entry.total_accumulated} unit="USDT" />
        </dd>
      </div>
      <div>
        <dt>{text('claimant')}</dt>
        <dd>
          <ExplorerValue chain="tron" kind="address" value={entry.tron_address} />
        </dd>
      </div>
      <div>
        <dt>{text('receiver')}</dt>
        <dd className="pool-balance__address">
          <ExplorerValue chain="bsc" kind="address" value={entry.usdt_address} isWhole />
        </dd>
      </div>
    </dl>
  )
}
