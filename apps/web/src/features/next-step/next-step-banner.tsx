import { useQuery } from '@tanstack/react-query'
import { Link, type To } from 'react-router'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS, OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { shownDate } from '../../shared/lib/date.ts'
import { toFixedDecimal } from '../../shared/lib/decimal.ts'
import { ArrowIcon } from '../../shared/ui/icons.tsx'
import { nextStepTexts } from './next-step.texts.ts'
import { type NextStep, nextStep } from './next-step.ts'
import './next-step-banner.css'

/** One line with the most urgent thing to do; renders nothing if there is none or the data is missing. */
export function NextStepBanner() {
  const text = useTexts(nextStepTexts)
  const now = useBusinessNow()
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data
  const claimable = useQuery(claimableQuery).data
  const fees = useQuery(pendingFeeQueries.list(OPEN_FEES)).data
  if (!earnings || !claimable || !fees) return null

  const holdings = { earnings: earnings.earnings, claimable, fees: fees.pending_fees }
  const said = sayStep(nextStep(holdings, now), text)
  if (!said) return null
  return (
    <aside className="next-step" data-tone={said.tone} aria-label={text('label')}>
      <p>{said.sentence}</p>
      <Link className="next-step__link" to={said.to}>
        {said.link}
        <ArrowIcon />
      </Link>
    </aside>
  )
}

type Said = { tone: 'usdt' | 'dct' | 'warn'; sentence: string; link: string; to: To }

function sayStep(
  step: NextStep,
  text: Translate<(typeof nextStepTexts)['english']>,
): Said | undefined {
  const toClaim = { link: text('toClaim'), to: { search: '?tab=claim', hash: '#plans' } }
  switch (step.name) {
    case 'payFee': {
      const plan = step.fee.earning_plan_code
      const amount = toFixedDecimal(step.fee.unpaid_fee_usdt, 6) ?? step.fee.unpaid_fee_usdt
      const sentence =
        step.openFees > 1
          ? text('payFees', { count: step.openFees, plan, amount })
          : text('payFee', { plan, amount })
      return { tone: 'usdt', sentence, link: text('toFees'), to: { hash: '#fees' } }
    }
    case 'claimFrozen': {
      const sentence = text('claimNow', { plan: step.planCode })
      return { tone: 'warn', sentence, ...toClaim }
    }
    case 'claimSoon': {
      const sentence = text('claimSoon', { plan: step.planCode, cycles: step.cyclesLeft })
      return { tone: 'warn', sentence, ...toClaim }
    }
    case 'claimFrom': {
      const facts = {
        plan: step.planCode,
        from: shownDate(step.from),
        until: shownDate(step.until),
      }
      return { tone: 'warn', sentence: text('claimFrom', facts), ...toClaim }
    }
    case 'claimReady': {
      const { planCode: plan, amount, before } = step
      const sentence =
        before === null
          ? text('claimReady', { plan, amount })
          : text('claimReadyBefore', { plan, amount, before: shownDate(before) })
      return { tone: 'dct', sentence, ...toClaim }
    }
    case 'join':
      return {
        tone: 'dct',
        sentence: text('join'),
        link: text('toJoin'),
        to: { search: '?tab=join', hash: '#plans' },
      }
    case 'wait':
      return undefined
  }
}
