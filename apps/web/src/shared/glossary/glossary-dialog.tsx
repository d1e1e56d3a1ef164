import {
  CLAIM_FEE_BPS,
  CLAIM_MIN_DCT,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
} from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import { useTexts } from '../i18n/texts.ts'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { uiTexts } from '../ui/ui.texts.ts'
import { glossaryTexts } from './glossary.texts.ts'
import './glossary.css'

/** The words that holders meet, each in a sentence or two. */
export function GlossaryDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(glossaryTexts)
  const ui = useTexts(uiTexts)
  const freeze = { cycles: FREEZE_AFTER_CYCLES, grace: FREEZE_GRACE_CYCLES }
  const words: readonly [word: string, meaning: string][] = [
    [text('plan'), text('planMeaning')],
    [text('earning'), text('earningMeaning')],
    [text('cycle'), text('cycleMeaning')],
    [text('reward'), text('rewardMeaning')],
    [text('claim'), text('claimMeaning', { minimum: CLAIM_MIN_DCT })],
    [text('fee'), text('feeMeaning', { percentage: formatPercentage(CLAIM_FEE_BPS) })],
    [text('freeze'), text('freezeMeaning', freeze)],
    [text('capital'), text('capitalMeaning')],
    [text('quota'), text('quotaMeaning')],
  ]
  return (
    <Dialog title={text('title')} onClose={onClose}>
      <dl className="glossary">
        {words.map(([word, meaning]) => (
          <div key={word}>
            <dt>{word}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog__actions">
        <CancelButton>{ui('close')}</CancelButton>
      </div>
    </Dialog>
  )
}
