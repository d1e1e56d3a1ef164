import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { priceTexts } from './admin-price.texts.ts'

/** The installation's fee settings. */
export function FeeSettings() {
  const text = useTexts(priceTexts)
  const config = usePublicConfig()
  if (config === undefined) return null
  const { rates, limits } = config
  return (
    <Panel title={text('fees')}>
      <p className="soft">{text('feesHint')}</p>
      <dl className="facts">
        <Fact term={text('claimFee')}>
          {text('ofClaim', { percentage: shownPercentage(rates.claim_fee_percentage) })}
        </Fact>
        <Fact term={text('energyFee')}>
          <Amount value={config.energy_fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('directRate')}>
          {text('ofFee', { percentage: shownPercentage(rates.direct_percentage) })}
        </Fact>
        <Fact term={text('maximumReferral')}>
          {text('ofFee', { percentage: shownPercentage(limits.referral_percentage_maximum) })}
        </Fact>
        <Fact term={text('nonDirectOpens')}>
          <DateTime value={config.non_direct_opens_at} />
        </Fact>
        <Fact term={text('grace')}>{text('cycles', { count: limits.freeze_grace_cycles })}</Fact>
        <Fact term={text('stepUp')}>{text(config.is_step_up_required ? 'on' : 'off')}</Fact>
      </dl>
    </Panel>
  )
}
