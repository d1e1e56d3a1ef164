import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { userQueries } from './admin-users.api.ts'
import { userTexts } from './admin-users.texts.ts'

/**
 * What a percentage would have cost with the fees of the last 30 days, and which users below have the same or a higher
 * one.
 */
export function RatePreview({ address, percentage }: { address: string; percentage: string }) {
  const text = useTexts(userTexts)
  const preview = useQuery(userQueries.ratePreview(address, percentage))
  if (preview.isError) {
    return (
      <Callout tone="warn" role="status">
        <p>{text('previewFailed')}</p>
      </Callout>
    )
  }
  if (preview.data === undefined) {
    return <span className="skeleton skeleton--line" aria-busy="true" />
  }
  const { fees, own_share: own, all_shares: all, same_or_higher_below: below } = preview.data
  return (
    <section className="stack" aria-label={text('preview')}>
      <dl className="facts">
        <Fact term={text('previewTouched')}>{preview.data.users_below}</Fact>
        <Fact term={text('previewFees')} hint={text('previewPayers', { count: fees.payers })}>
          <Amount value={fees.total_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('previewOwn')} hint={text('previewBefore', { amount: own.before })}>
          <Amount value={own.after} unit="USDT" />
        </Fact>
        <Fact term={text('previewCost')} hint={text('previewBefore', { amount: all.before })}>
          <Amount value={all.after} unit="USDT" />
        </Fact>
      </dl>
      {fees.is_partial && <p className="soft">{text('previewPartial')}</p>}
      {preview.data.needs_second_admin && (
        <Callout>
          <p>{text('previewSecond')}</p>
        </Callout>
      )}
      {below.count > 0 && (
        <Callout tone="warn">
          <p>{text('previewBelow', { count: below.count })}</p>
          <ul>
            {below.examples.map((one) => (
              <li key={one.tron_address}>
                <span className="code" title={one.tron_address}>
                  {shorten(one.tron_address)}
                </span>
                : {shownPercentage(one.percentage)}%
              </li>
            ))}
          </ul>
        </Callout>
      )}
    </section>
  )
}
