import {
  CLAIM_FEE_BPS,
  CLAIM_MIN_DCT,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
} from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import { useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { shownPercentage } from '../lib/shown-percentage.ts'
import { CancelButton, Dialog } from '../ui/dialog.tsx'
import { uiTexts } from '../ui/ui.texts.ts'
import { glossaryTexts } from './glossary.texts.ts'
import type { Word } from './word.ts'
import './glossary.css'

/** Explains one of the glossary's words, or all of them, each in a sentence or two. */
export function GlossaryDialog({ word, onClose }: { word: Word | undefined; onClose(): void }) {
  const text = useTexts(glossaryTexts)
  const ui = useTexts(uiTexts)
  const [asked, setAsked] = useState(word)
  const freeze = { cycles: FREEZE_AFTER_CYCLES, grace: FREEZE_GRACE_CYCLES }
  const meanings: Readonly<Record<Word, string>> = {
    wallet: text('walletMeaning'),
    plan: text('planMeaning'),
    earning: text('earningMeaning'),
    cycle: text('cycleMeaning'),
    reward: text('rewardMeaning'),
    claim: text('claimMeaning', { minimum: CLAIM_MIN_DCT }),
    count: text('countMeaning', { cycles: FREEZE_AFTER_CYCLES }),
    fee: text('feeMeaning', { percentage: shownPercentage(formatPercentage(CLAIM_FEE_BPS)) }),
    energy: text('energyMeaning'),
    freeze: text('freezeMeaning', freeze),
    capital: text('capitalMeaning'),
    quota: text('quotaMeaning'),
  }
  const shown = asked === undefined ? (Object.keys(meanings) as Word[]) : [asked]
  return (
    <Dialog title={text('title')} onClose={onClose}>
      <dl className="glossary">
        {shown.map((one) => (
          <div key={one}>
            <dt>{text(one)}</dt>
            <dd>{meanings[one]}</dd>
          </div>
        ))}
      </dl>
      <div className="dialog__actions">
        {asked !== undefined && (
          <button
            type="button"
            className="button button--quiet"
            onClick={() => setAsked(undefined)}
          >
            {text('allWords')}
          </button>
        )}
        <CancelButton>{ui('close')}</CancelButton>
      </div>
    </Dialog>
  )
}
