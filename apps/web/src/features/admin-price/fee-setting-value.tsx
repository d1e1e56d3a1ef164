import type { MoneySettingName } from '@dct/api-contract/money-settings'
import { parseBusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { feeSettingTexts } from './fee-settings.texts.ts'

type FeeSettingValueProps = { name: MoneySettingName; value: string }

/** A value with its unit. */
export function FeeSettingValue({ name, value }: FeeSettingValueProps) {
  const text = useTexts(feeSettingTexts)
  if (name === 'direct_rate') return <>{text('ofFee', { percentage: shownPercentage(value) })}</>
  if (name === 'non_direct_opens') {
    return <DateTime value={startOfBusinessDay(parseBusinessDay(value)).toISOString()} />
  }
  return <Amount value={value} unit="USDT" />
}
