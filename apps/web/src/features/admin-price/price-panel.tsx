import type { PriceReply } from '@dct/api-contract/pricing'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { priceQueries } from './admin-price.api.ts'
import { priceTexts } from './admin-price.texts.ts'
import { ConfirmPrice } from './confirm-price.tsx'
import { FeeSettings } from './fee-settings.tsx'
import { PriceForm } from './price-form.tsx'
import { SettingHistory } from './setting-history.tsx'

/** The price used to calculate fees, where it came from, and the form to set it. */
export function PricePanel() {
  const text = useTexts(priceTexts)
  const price = useQuery(priceQueries.price)
  const [wanted, setWanted] = useState<string>()
  const present = price.data
  return (
    <div className="stack">
      <StaleCallout query={price} />
      {price.data === undefined && <NotLoaded query={price}>{text('loadFailed')}</NotLoaded>}
      {present !== undefined && (
        <Panel title={text('title')}>
          <PriceFacts price={present} />
          <PriceForm price={present} onEntered={setWanted} />
        </Panel>
      )}
      {present !== undefined && wanted !== undefined && (
        <ConfirmPrice price={present} wanted={wanted} onClose={() => setWanted(undefined)} />
      )}
      <FeeSettings />
      <SettingHistory />
    </div>
  )
}

function PriceFacts({ price }: { price: PriceReply }) {
  const text = useTexts(priceTexts)
  return (
    <>
      {price.price === null && <Callout tone="bad">{text('missing')}</Callout>}
      {price.price !== null && !price.is_current && <Callout tone="bad">{text('tooOld')}</Callout>}
      <dl className="facts">
        <Fact term={text('price')}>
          <Amount value={price.price} unit="USDT" decimals="all" />
        </Fact>
        <Fact term={text('setAt')}>
          <DateTime value={price.at} />
        </Fact>
        <Fact term={text('expiresAt')} {...(!price.is_current && { tone: 'warn' })}>
          <DateTime value={price.expires_at} />
        </Fact>
        <Fact term={text('bounds')}>
          <Amount value={price.minimum} decimals="all" /> –{' '}
          <Amount value={price.maximum} unit="USDT" decimals="all" />
        </Fact>
        <Fact term={text('maximumStep')}>
          {text('maximumStepValue', { percentage: shownPercentage(price.maximum_step_percentage) })}
        </Fact>
        {price.pair !== null && (
          <Fact term={text('pair')}>
            {text('pairValue', {
              minutes: price.pair.window_minutes,
              percentage: shownPercentage(price.pair.daily_step_percentage),
              minimum: price.pair.minimum,
              maximum: price.pair.maximum,
            })}
          </Fact>
        )}
      </dl>
      {price.pair !== null && <p className="soft">{text('pairHint')}</p>}
    </>
  )
}
