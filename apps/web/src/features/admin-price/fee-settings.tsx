import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { priceTexts } from './admin-price.texts.ts'

/** What the installation's settings say about fees. */
export function FeeSettings() {
  const text = useTexts(priceTexts)
  const config = usePublicConfig()
  if (config === undefined) return null
  const { rates, limits } = config
  return (
    <section className="panel" aria-label={text('fees')}>
      <h2>{text('fees')}</h2>
      <p className="soft">{text('feesHint')}</p>
      <dl className="facts">
        <Fact term={text('claimFee')}>
          {text('ofClaim', { percentage: rates.claim_fee_percentage })}
        </Fact>
        <Fact term={text('energyFee')}>
          <Amount value={config.energy_fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('directRate')}>
          {text('ofFee', { percentage: rates.direct_percentage })}
        </Fact>
        <Fact term={text('maximumReferral')}>
          {text('ofFee', { percentage: limits.referral_percentage_maximum })}
        </Fact>
        <Fact term={text('nonDirectOpens')}>
          <DateTime value={config.non_direct_opens_at} />
        </Fact>
        <Fact term={text('grace')}>{text('cycles', { count: limits.freeze_grace_cycles })}</Fact>
        <Fact term={text('stepUp')}>{text(config.is_step_up_required ? 'on' : 'off')}</Fact>
      </dl>
    </section>
  )
}
