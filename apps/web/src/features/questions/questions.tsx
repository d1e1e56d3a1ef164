import {
  CANCEL_AFTER_HOURS,
  CLAIM_FEE_BPS,
  CLAIM_MIN_DCT,
  CLAIM_OPEN_DAYS_AFTER_END,
  FEE_OPEN_DAYS_AFTER_END,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
  JOIN_MAX_DCT,
  JOIN_MIN_DCT,
  REWARD_SENT_WITHIN_HOURS,
} from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { shownPercentage } from '../../shared/lib/shown-percentage.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import type { QuestionId } from './question-id.ts'
import { questionTexts } from './questions.texts.ts'
import './questions.css'

/** Newcomers' questions with their answers, in the order in which they arise. */
export function Questions() {
  const text = useTexts(questionTexts)
  const config = usePublicConfig()
  const email = config?.support_email ?? UNKNOWN
  const energy = toFixedDecimal(config?.energy_fee_usdt ?? '', 2) ?? UNKNOWN
  const answers: Readonly<Record<QuestionId, ReactNode>> = {
    begin: text('beginText', { minimum: JOIN_MIN_DCT, maximum: JOIN_MAX_DCT }),
    energy: text('energyText'),
    twice: text('twiceText'),
    earlier: text('earlierText'),
    cycle: text('cycleText'),
    minimum: text('minimumText', { minimum: CLAIM_MIN_DCT }),
    kinds: text('kindsText', { hours: CANCEL_AFTER_HOURS }),
    fee: text('feeText', { percentage: shownPercentage(formatPercentage(CLAIM_FEE_BPS)), energy }),
    bsc: text('bscText'),
    exact: text('exactText', { email }),
    waiting: text('waitingText', { hours: REWARD_SENT_WITHIN_HOURS }),
    unpaid: text('unpaidText', { days: FEE_OPEN_DAYS_AFTER_END }),
    freeze: text('freezeText', { cycles: FREEZE_AFTER_CYCLES, grace: FREEZE_GRACE_CYCLES }),
    end: text('endText', { days: CLAIM_OPEN_DAYS_AFTER_END }),
    referral: text('referralText'),
    proof: (
      <>
        {text('proofText')} <Link to="/transparency">{text('proofLink')}</Link>
      </>
    ),
  }
  return (
    <>
      <div className="questions">
        {(Object.keys(answers) as QuestionId[]).map((id) => (
          <Question key={id} id={id} question={text(id)}>
            {answers[id]}
          </Question>
        ))}
      </div>
      <p className="soft">{text('more', { email })}</p>
    </>
  )
}

type QuestionProps = { id: QuestionId; question: string; children: ReactNode }

/** A question that expands to its answer; the one that the URL names is expanded and scrolled into view. */
function Question({ id, question, children }: QuestionProps) {
  const element = useRef<HTMLDetailsElement>(null)
  const { hash, key } = useLocation()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` distinguishes one click on a link from the next
  useEffect(() => {
    if (hash !== `#${id}` || element.current === null) return
    element.current.open = true
    element.current.scrollIntoView()
  }, [hash, key, id])
  return (
    <details className="questions__one anchor" id={id} ref={element}>
      <summary>{question}</summary>
      <p>{children}</p>
    </details>
  )
}
