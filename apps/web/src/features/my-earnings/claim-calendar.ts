import { type BusinessDay, DAY_MS, startOfBusinessDay } from '@dct/rules/business-day'
import type { Earning } from '../../shared/api/earnings.api.ts'
import type { Translate } from '../../shared/i18n/texts.ts'
import type { CalendarEntry } from './calendar-file.ts'
import { type DeadlineKind, nextDeadline } from './deadline.ts'
import type { earningsTexts } from './my-earnings.texts.ts'

type Text = Translate<(typeof earningsTexts)['english']>

const DEADLINE_TEXTS = {
  beforeFreeze: 'calendarFreeze',
  beforeLoss: 'calendarLoss',
  payBeforeLoss: 'calendarPay',
  beforeEnd: 'calendarEnd',
} as const satisfies Record<DeadlineKind, string>

/** An earning's important dates for its holder, as calendar entries. */
export function claimCalendar(
  earning: Earning,
  { now, grace }: { now: Date; grace: number },
  text: Text,
): CalendarEntry[] {
  const { id, earning_plan_code: plan, lapses_from, claim_until, end_date } = earning
  const entries: CalendarEntry[] = []
  const deadline = nextDeadline(earning, { now, grace })
  const opens = earning.freeze_reason === 'open_fee' ? null : earning.claimable_from
  if (deadline && opens !== null) {
    const from = startOfBusinessDay(opens as BusinessDay)
    entries.push({
      id: `opens-${id}`,
      title: text('calendarFromTitle', { plan }),
      text: text('calendarFrom', { plan }),
      from,
      to: new Date(from.getTime() + DAY_MS),
    })
  }
  if (deadline) {
    entries.push({
      id: `claim-${id}`,
      title: text(deadline.kind === 'payBeforeLoss' ? 'calendarPayTitle' : 'calendarClaimTitle', {
        plan,
      }),
      text: text(DEADLINE_TEXTS[deadline.kind], { plan }),
      ...lastDayBefore(deadline.at),
    })
  }
  if (deadline?.kind === 'beforeFreeze' && lapses_from !== null) {
    entries.push({
      id: `loss-${id}`,
      title: text('calendarLossTitle', { plan }),
      text: text('calendarLoss', { plan }),
      ...lastDayBefore(startOfBusinessDay(lapses_from as BusinessDay)),
    })
  }
  const end = new Date(end_date)
  if (end.getTime() > now.getTime()) {
    const amount = earning.total_locked_amount
    entries.push({
      id: `capital-${id}`,
      title: text('calendarCapitalTitle', { plan }),
      text: text('calendarCapital', { plan, amount }),
      from: end,
      to: end,
    })
  }
  if (deadline && deadline.kind !== 'beforeEnd') {
    entries.push({
      id: `end-${id}`,
      title: text('calendarEndTitle', { plan }),
      text: text('calendarEnd', { plan }),
      ...lastDayBefore(new Date(claim_until)),
    })
  }
  return entries
}

/** The 24 hours before a deadline. */
function lastDayBefore(deadline: Date): { from: Date; to: Date } {
  return { from: new Date(deadline.getTime() - DAY_MS), to: deadline }
}
