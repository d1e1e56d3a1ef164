import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { settingTexts } from '../../shared/ui/setting.texts.ts'
import { SettingValue } from '../../shared/ui/setting-value.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { priceQueries } from './admin-price.api.ts'
import { ChangeFeeSetting } from './change-fee-setting.tsx'
import { feeSettingTexts } from './fee-settings.texts.ts'

/** The fee settings: those that admins change, and what is fixed. */
export function FeeSettings() {
  const text = useTexts(feeSettingTexts)
  const named = useTexts(settingTexts)
  const settings = useQuery(priceQueries.fees)
  const [isChanging, setIsChanging] = useState(false)
  if (settings.data === undefined) {
    return <NotLoaded query={settings}>{text('loadFailed')}</NotLoaded>
  }
  return (
    <Panel title={text('title')}>
      <p className="soft">{text('hint')}</p>
      <dl className="facts">
        {settings.data.settings.map(({ name, value }) => (
          <Fact key={name} term={named(name)}>
            <SettingValue kind={name} value={value} />
          </Fact>
        ))}
        <FixedFacts />
      </dl>
      <p>
        <SmallButton onClick={() => setIsChanging(true)}>{text('change')}</SmallButton>
      </p>
      {isChanging && <ChangeFeeSetting onClose={() => setIsChanging(false)} />}
    </Panel>
  )
}

function FixedFacts() {
  const text = useTexts(feeSettingTexts)
  const named = useTexts(settingTexts)
  const config = usePublicConfig()
  if (config === undefined) return null
  const { rates, limits } = config
  return (
    <>
      <Fact term={text('claimFee')}>
        {text('ofClaim', { percentage: shownPercentage(rates.claim_fee_percentage) })}
      </Fact>
      <Fact term={text('maximumReferral')}>
        {named('ofFee', { percentage: shownPercentage(limits.referral_percentage_maximum) })}
      </Fact>
      <Fact term={text('grace')}>{text('cycles', { count: limits.freeze_grace_cycles })}</Fact>
      <Fact term={text('stepUp')}>{text(config.is_step_up_required ? 'on' : 'off')}</Fact>
    </>
  )
}
