import { useId } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { shareOf, shownDecimal } from '../../shared/lib/decimal.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { earningsTexts } from './my-earnings.texts.ts'
import './reward-progress.css'

/** How much of the total reward has been credited so far. */
export function RewardProgress({ shared, whole }: { shared: string; whole: string }) {
  const text = useTexts(earningsTexts)
  const id = useId()
  const share = shareOf(shared, whole)
  return (
    <div className="reward-progress">
      <div className="panel__head small">
        <span id={id} className="soft">
          {text('progress')}
        </span>
        <span>
          <Amount value={shared} /> / <Amount value={whole} unit="DCT" />{' '}
          <span className="soft">({shownDecimal((share * 100).toFixed(2))}%)</span>
        </span>
      </div>
      <progress aria-labelledby={id} value={share} max={1} />
    </div>
  )
}
