import { addDays, businessDayOf } from '@dct/rules/business-day'
import { useQuery } from '@tanstack/react-query'
import { Link, type To, useSearchParams } from 'react-router'
import { claimableQuery } from '../../shared/api/claimable.api.ts'
import { earlyClaimsQuery } from '../../shared/api/early-claims.api.ts'
import { type Earning, earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS, OPEN_FEES, PAID_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { lastDayBefore, shownDate } from '../../shared/lib/date.ts'
import { CheckIcon } from '../../shared/ui/icons.tsx'
import { FIRST_STEPS, firstStepsDone } from './first-steps.ts'
import { nextStepTexts } from './next-step.texts.ts'
import { type NextStep, nextStep } from './next-step.ts'
import './next-step-banner.css'

/**
 * The most urgent thing to do with the button that does it, and the first steps of a newcomer until the first reward is
 * paid for. An open fee has its own button below. Renders nothing where there is nothing to do, or while data is missing.
 */
export function NextStepBanner() {
  const text = useTexts(nextStepTexts)
  const now = useBusinessNow()
  const earnings = useQuery(earningsQueries.list(FIRST_EARNINGS)).data?.earnings
  const claimable = useQuery(claimableQuery).data
  const open = useQuery(pendingFeeQueries.list(OPEN_FEES)).data?.pending_fees
  const paid = useQuery(pendingFeeQueries.list(PAID_FEES)).data?.pending_fees
  const early = useQuery(earlyClaimsQuery).data
  const tab = useSearchParams()[0].get('tab')
  if (!earnings || !claimable || !open) return null

  const advice = adviseStep(nextStep({ earnings, claimable, fees: open }, now), earnings, text)
  const done = paid && early && firstStepsDone({ earnings, early, open, paid })
  const isLearning = done !== undefined && done < FIRST_STEPS.length
  // The open tab is already the place to which the button would lead.
  const isThere = advice?.tab !== undefined && advice.tab === tab
  if (isThere || (!advice && !isLearning)) return null
  return (
    <section className="next-step" data-tone={advice?.tone} aria-label={text('label')}>
      {isLearning && <FirstSteps done={done} />}
      {advice && (
        <div className="next-step__line">
          <p>{advice.sentence}</p>
          {advice.link && advice.to && (
            <Link className="button button--small button--dct" to={advice.to}>
              {advice.link}
            </Link>
          )}
        </div>
      )}
    </section>
  )
}

function FirstSteps({ done }: { done: number }) {
  const text = useTexts(nextStepTexts)
  return (
    <ol className="first-steps" aria-label={text('firstSteps')}>
      {FIRST_STEPS.map((step, index) => (
        <li key={step} data-done={index < done} aria-current={index === done ? 'step' : undefined}>
          <span className="first-steps__mark" aria-hidden="true">
            {index < done ? <CheckIcon /> : index + 1}
          </span>
          <span className={index === done ? undefined : 'visually-hidden'}>
            {text(`${step}Step`)} {index < done && text('stepDone')}
          </span>
        </li>
      ))}
    </ol>
  )
}

type Advice = {
  tone: 'dct' | 'warn'
  sentence: string
  link?: string
  to?: To
  /** The tab to which the link leads. */
  tab?: string
}

function adviseStep(
  step: NextStep,
  earnings: readonly Earning[],
  text: Translate<(typeof nextStepTexts)['english']>,
): Advice | undefined {
  const toClaim = {
    ...{ link: text('toClaim'), to: { search: '?tab=claim', hash: '#plans' } },
    tab: 'claim',
  }
  const by = (deadline: string) => shownDate(lastDayBefore(deadline))
  switch (step.name) {
    case 'payFee':
      return undefined
    case 'claimFrozen': {
      const sentence = text('claimNow', { plan: step.planCode })
      return { tone: 'warn', sentence, ...toClaim }
    }
    case 'claimSoon': {
      const sentence = text('claimSoon', { plan: step.planCode, cycles: step.cyclesLeft })
      return { tone: 'warn', sentence, ...toClaim }
    }
    case 'claimFrom': {
      const facts = { plan: step.planCode, from: shownDate(step.from), until: by(step.until) }
      return { tone: 'warn', sentence: text('claimFrom', facts) }
    }
    case 'claimReady': {
      const { amount, before } = step
      const sentence =
        before === null
          ? text('claimReady', { amount })
          : text('claimReadyBy', { amount, day: by(before) })
      return { tone: 'dct', sentence, ...toClaim }
    }
    case 'join':
      return {
        tone: 'dct',
        sentence: text('join'),
        link: text('toJoin'),
        to: { search: '?tab=join', hash: '#plans' },
        tab: 'join',
      }
    case 'wait':
      return sayFirstReward(earnings, text)
  }
}

/** After a lock: what is locked, and when its first reward comes. */
function sayFirstReward(
  earnings: readonly Earning[],
  text: Translate<(typeof nextStepTexts)['english']>,
): Advice | undefined {
  const fresh = earnings.find(
    ({ is_hash_confirmed, distributed_cycles }) =>
      is_hash_confirmed === 'SUCCESS' && distributed_cycles === 0,
  )
  if (fresh === undefined) return undefined
  const day = shownDate(addDays(businessDayOf(new Date(fresh.start_date)), 1))
  return { tone: 'dct', sentence: text('locked', { amount: fresh.total_locked_amount, day }) }
}
