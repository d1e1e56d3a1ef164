import {
  CLAIM_FEE_BPS,
  CLAIM_MIN_DCT,
  FREEZE_AFTER_CYCLES,
  FREEZE_GRACE_CYCLES,
  JOIN_MAX_DCT,
  JOIN_MIN_DCT,
} from '@dct/rules/constants'
import { formatPercentage } from '@dct/rules/percentages'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../shared/api/client.ts'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS, OPEN_FEES } from '../../shared/api/first-calls.ts'
import { pendingFeeQueries } from '../../shared/api/pending-fees.api.ts'
import type { User } from '../../shared/api/wire.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { guideTexts } from './guide.texts.ts'

const STEPS = ['join', 'claim', 'pay'] as const

/** Explains the service in three steps on an account's first visit. Once dismissed, it is not shown again. */
export function Guide() {
  const text = useTexts(guideTexts)
  const leave = useLeave()
  const next = useNextStep()
  const [chosen, setChosen] = useState<number>()
  const step = chosen ?? next
  const heading = useRef<HTMLHeadingElement>(null)
  const show = (to: number) => {
    setChosen(to)
    // Screen readers then announce the heading, and the buttons follow it.
    heading.current?.focus()
  }
  const sentences = useSentences()
  const current = STEPS[step] ?? STEPS[0]
  const isLast = step === STEPS.length - 1
  return (
    <section className="panel" aria-labelledby="guide">
      <div className="panel__head">
        <h2 id="guide">{text('title')}</h2>
        <button type="button" className="text-button small" onClick={leave}>
          {text('skip')}
        </button>
      </div>
      <div className="stack stack--tight">
        <h3 ref={heading} tabIndex={-1}>
          <span className="soft small">
            {text('position', { step: step + 1, count: STEPS.length })}
          </span>
          <br />
          {text(`${current}Title`)}
        </h3>
        <p>{sentences[current]}</p>
      </div>
      <div className="row">
        {step > 0 && (
          <button type="button" className="button button--quiet" onClick={() => show(step - 1)}>
            {text('back')}
          </button>
        )}
        <button
          type="button"
          className="button"
          onClick={() => (isLast ? leave() : show(step + 1))}
        >
          {text(isLast ? 'done' : 'next')}
        </button>
      </div>
    </section>
  )
}

/** The step that this account has not taken yet. */
function useNextStep(): number {
  const { earnings = [] } = useQuery(earningsQueries.list(FIRST_EARNINGS)).data ?? {}
  const { pending_fees: fees = [] } = useQuery(pendingFeeQueries.list(OPEN_FEES)).data ?? {}
  if (fees.length > 0) return STEPS.indexOf('pay')
  return STEPS.indexOf(earnings.length > 0 ? 'claim' : 'join')
}

function useSentences(): Record<(typeof STEPS)[number], string> {
  const text = useTexts(guideTexts)
  return {
    join: text('join', { minimum: JOIN_MIN_DCT, maximum: JOIN_MAX_DCT }),
    claim: text('claim', {
      minimum: CLAIM_MIN_DCT,
      cycles: FREEZE_AFTER_CYCLES,
      grace: FREEZE_GRACE_CYCLES,
    }),
    pay: text('pay', { percentage: formatPercentage(CLAIM_FEE_BPS) }),
  }
}

/** Removes the guide at once. If the request to the service fails, the guide is shown again on the next visit. */
function useLeave(): () => void {
  const queryClient = useQueryClient()
  return () => {
    document.getElementById('content')?.focus({ preventScroll: true })
    queryClient.setQueriesData<{ user: User }>({ queryKey: ['session', 'me'] }, (me) =>
      me === undefined ? me : { ...me, user: { ...me.user, has_seen_guide: true } },
    )
    api.post('/user/guide-seen', {}).catch(reportError)
  }
}
