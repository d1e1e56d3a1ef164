import { useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { transparencyTexts } from './transparency.texts.ts'

type CoverProps = { held: string | undefined; owed: string | undefined }

/** Whether the funds held cover what is owed; unknown if either is. */
export function Cover({ held, owed }: CoverProps) {
  const text = useTexts(transparencyTexts)
  if (held === undefined || owed === undefined) {
    return <span className="badge">{text('notKnown')}</span>
  }
  const isCovered = compareDecimals(held, owed) >= 0
  return (
    <span className="badge" data-tone={isCovered ? 'good' : 'bad'}>
      {text(isCovered ? 'covered' : 'short')}
    </span>
  )
}
