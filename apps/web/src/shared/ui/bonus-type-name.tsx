import { type BonusType, readBonusType } from '@dct/api-contract/referrals'
import { useTexts } from '../i18n/texts.ts'
import { UNKNOWN } from '../lib/unknown.ts'
import { bonusTypeTexts } from './bonus-type.texts.ts'

const NAMES = { 'direct bonus': 'direct', 'non-direct': 'nonDirect' } as const satisfies Record<
  BonusType,
  keyof typeof bonusTypeTexts.english
>

/** The name of a bonus type in lists; `none` is shown for a claim without a type. */
export function BonusTypeName({ type, none = UNKNOWN }: { type: string; none?: string }) {
  const text = useTexts(bonusTypeTexts)
  const known = readBonusType(type)
  return <>{known ? text(NAMES[known]) : type || none}</>
}
