import type { ProposalKind } from '@dct/api-contract/proposals'
import { parseBusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import { useTexts } from '../i18n/texts.ts'
import { shownPercentage } from '../lib/shown-percentage.ts'
import { Amount } from './amount.tsx'
import { DateTime } from './date-time.tsx'
import { settingTexts } from './setting.texts.ts'

/** A value that admins set, with its unit. */
export function SettingValue({ kind, value }: { kind: ProposalKind; value: string }) {
  const text = useTexts(settingTexts)
  if (kind === 'referral_percentage') return <>{shownPercentage(value)}%</>
  if (kind === 'direct_rate') return <>{text('ofFee', { percentage: shownPercentage(value) })}</>
  if (kind === 'non_direct_opens') {
    return <DateTime value={startOfBusinessDay(parseBusinessDay(value)).toISOString()} />
  }
  return <Amount value={value} unit="USDT" {...(kind === 'price' && { decimals: 'all' })} />
}
