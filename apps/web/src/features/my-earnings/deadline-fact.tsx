import { type BusinessDay, startOfBusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import { useBusinessNow } from '../../shared/config/business-time.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useRelativeTime } from '../../shared/lib/use-relative-time.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { type Deadline, type DeadlineKind, nextDeadline } from './deadline.ts'
import { earningsTexts } from './my-earnings.texts.ts'

const TERMS = {
  beforeFreeze: 'deadlineFreeze',
  beforeLoss: 'deadlineLoss',
  payBeforeLoss: 'deadlinePay',
  beforeEnd: 'deadlineEnd',
} as const satisfies Record<DeadlineKind, string>

/** From when a claim is possible and until when, each as a date and as the time left. */
export function DeadlineFact({ earning }: { earning: Earning }) {
  const deadline = nextDeadline(earning, useBusinessNow())
  if (!deadline) return null
  const { claimable_from: from, freeze_reason } = earning
  return (
    <>
      {from !== null && freeze_reason !== 'open_fee' && <ClaimFrom day={from} />}
      <Countdown deadline={deadline} isNear={earning.freeze_warning !== null} />
    </>
  )
}

function ClaimFrom({ day }: { day: string }) {
  const text = useTexts(earningsTexts)
  const left = useRelativeTime(startOfBusinessDay(day as BusinessDay))
  return (
    <Fact term={text('claimFrom')} hint={left}>
      <DateTime value={day} />
    </Fact>
  )
}

function Countdown({ deadline, isNear }: { deadline: Deadline; isNear: boolean }) {
  const text = useTexts(earningsTexts)
  const left = useRelativeTime(deadline.at)
  return (
    <Fact
      term={text(TERMS[deadline.kind])}
      word="freeze"
      hint={left}
      {...(isNear && { tone: 'warn' as const })}
    >
      <DateTime value={deadline.at.toISOString()} />
    </Fact>
  )
}
