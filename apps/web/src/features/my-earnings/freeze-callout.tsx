import { addDays, type BusinessDay } from '@dct/rules/business-day'
import { CLAIM_MIN_DCT } from '@dct/rules/constants'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useGraceCycles } from '../../shared/config/grace-cycles.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { isPositive } from '../../shared/lib/decimal.ts'
import { daysLost, freezesFirst, hasEnded } from '../../shared/lib/earning-status.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { earningsTexts } from './my-earnings.texts.ts'

type Text = Translate<(typeof earningsTexts)['english']>

/** How many cycles before the freeze a warning becomes urgent: at 28, 29 and 30 of 30. */
const URGENT_CYCLES = 2

/** What a holder must do by when, and what is lost otherwise; renders nothing if nothing is pending. */
export function FreezeCallout({ earning }: { earning: Earning }) {
  const text = useTexts(earningsTexts)
  const now = useBusinessNow()
  const grace = useGraceCycles()
  const sentences = freezeSentences(earning, { isOver: hasEnded(earning, now), grace }, text)
  if (sentences.length === 0) return null
  return (
    <Callout tone={isUrgent(earning) ? 'bad' : 'warn'}>
      {sentences.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </Callout>
  )
}

/** Whether the warning is urgent: from two cycles before the freeze on, and while frozen for not claiming. */
function isUrgent({ freeze_reason, freeze_warning, freeze_limit }: Earning): boolean {
  if (freeze_reason === 'open_fee') return false
  return freeze_warning !== null && freeze_warning >= freeze_limit - URGENT_CYCLES
}

/** By when to claim before the freeze, or from when, if a claim is not possible yet. */
function claimSentence(earning: Earning, freezesOn: string, text: Text): string {
  const { claimable_from: opens } = earning
  const facts = {
    day: shownDate(lastDayBefore(freezesOn)),
    from: shownDate(opens ?? ''),
    minimum: CLAIM_MIN_DCT,
  }
  if (opens === null) return text('freezeSoon', facts)
  return text(freezesFirst(earning) ? 'freezesFirst' : 'freezeSoonFrom', facts)
}

function freezeSentences(
  earning: Earning,
  { isOver, grace }: { isOver: boolean; grace: number },
  text: Text,
): string[] {
  const sentences: string[] = []
  if (earning.freeze_reason === 'open_fee') {
    sentences.push(text(isOver ? 'frozenByFeeEnded' : 'frozenByFee'))
  }
  if (earning.freeze_reason === 'unclaimed') {
    sentences.push(text('frozenUnclaimed', { limit: earning.freeze_limit }))
  }
  if (!earning.is_frozen && earning.freeze_warning !== null && earning.freezes_on) {
    const facts = { count: earning.reward_distribution_count, limit: earning.freeze_limit }
    sentences.push(text('warning', facts), claimSentence(earning, earning.freezes_on, text))
  }
  // An open fee names this day itself.
  const isWarned = earning.freeze_reason === 'unclaimed' || earning.freeze_warning !== null
  const lostDays = daysLost(earning, grace)
  if (lostDays > 0 && earning.lapses_from) {
    const day = shownDate(addDays(earning.lapses_from as BusinessDay, -lostDays))
    const key = earning.freeze_reason === 'open_fee' ? 'losingUnpaid' : 'losing'
    sentences.push(text(key, { day, amount: earning.total_lapsed }))
  } else if (isWarned && earning.lapses_from) {
    sentences.push(text('lapsesFrom', { day: shownDate(earning.lapses_from) }))
  }
  if (isPositive(earning.expired_amount)) {
    const facts = {
      amount: earning.expired_amount,
      day: shownDate(lastDayBefore(earning.claim_until)),
    }
    sentences.push(text('expired', facts))
  }
  return sentences
}
