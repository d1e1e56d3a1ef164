import type { ClaimPoolEntry } from '@dct/api-contract/referrals'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { poolTexts } from './claim-pool.texts.ts'

/** The claim a dialog is about: amount, owner and destination. */
export function ClaimFacts({ entry }: { entry: ClaimPoolEntry }) {
  const text = useTexts(poolTexts)
  return (
    <dl className="facts">
      <Fact term={text('amount')}>
        <Amount value={entry.total_accumulated} unit="USDT" />
      </Fact>
      <Fact term={text('claimant')}>
        <ExplorerValue chain="tron" kind="address" value={entry.tron_address} />
      </Fact>
      <Fact term={text('receiver')} className="pool-balance__address">
        <ExplorerValue chain="bsc" kind="address" value={entry.usdt_address} isWhole />
      </Fact>
    </dl>
  )
}
