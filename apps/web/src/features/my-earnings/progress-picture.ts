import type { EarningProgress } from '@dct/api-contract/claims'
import { addDays, type BusinessDay, daysBetween } from '@dct/rules/business-day'
import { addDecimals, scaleDecimal, subtractDecimals } from '../../shared/lib/decimal.ts'

/** A point of a line: the total at the end of that business day. */
export type PicturePoint = { day: string; amount: string }
export type PictureBand = { from: string; to: string }

/** The data of an earning's chart; amounts are in DCT. */
export type ProgressPicture = {
  firstDay: string
  lastDay: string
  whole: string
  credited: PicturePoint[]
  claimed: PicturePoint[]
  /** From the total credited so far to the expected total at the end, if nothing more is lost. */
  toCome: PicturePoint[]
  /** Days at whose end the earning was frozen; lost days are among them. */
  frozen: PictureBand[]
  lost: PictureBand[]
  lostAmount: string
  frozenDays: number
}

/** Turns an earning's stretches and claims into cumulative lines and bands over its duration. */
export function pictureOf(progress: EarningProgress): ProgressPicture {
  const { start_day: firstDay, duration_days, stretches, total_reward } = progress
  const lastDay = addDays(firstDay as BusinessDay, duration_days)
  const credited: PicturePoint[] = [{ day: firstDay, amount: '0' }]
  let sum = '0'
  let lostAmount = '0'
  for (const stretch of stretches) {
    if (stretch.is_lapsed) lostAmount = addDecimals(lostAmount, stretch.amount)
    else sum = addDecimals(sum, stretch.amount)
    credited.push({ day: stretch.last_day, amount: sum })
  }
  const now = credited.at(-1) ?? { day: firstDay, amount: '0' }
  const isOver = now.day >= lastDay
  const end = { day: lastDay, amount: subtractDecimals(total_reward, lostAmount) }
  const bands = (those: typeof stretches) =>
    those.map(({ first_day, last_day }) => ({ from: dayBefore(first_day), to: last_day }))
  const frozen = stretches.filter(({ is_frozen }) => is_frozen)
  return {
    firstDay,
    lastDay,
    whole: total_reward,
    credited,
    claimed: claimedPoints(progress, now.day),
    toCome: isOver ? [] : [now, end],
    frozen: bands(frozen),
    lost: bands(stretches.filter(({ is_lapsed }) => is_lapsed)),
    lostAmount: addDecimals(lostAmount, '0'),
    frozenDays: frozen.reduce((days, one) => days + one.last_cycle - one.first_cycle + 1, 0),
  }
}

const COMING_DAYS = 30

/** The chart's past and the next 30 days. */
export function upToNow(picture: ProgressPicture): ProgressPicture {
  const [now, end] = picture.toCome
  if (!now || !end) return picture
  const lastDay = addDays(now.day as BusinessDay, COMING_DAYS)
  if (lastDay >= picture.lastDay) return picture
  const days = daysBetween(now.day as BusinessDay, picture.lastDay as BusinessDay)
  const ratio = { numerator: BigInt(COMING_DAYS), denominator: BigInt(days) }
  const more = scaleDecimal(subtractDecimals(end.amount, now.amount), ratio)
  const amount = addDecimals(now.amount, more)
  return { ...picture, lastDay, whole: amount, toCome: [now, { day: lastDay, amount }] }
}

/** Claims that were cancelled or never paid moved nothing. */
function claimedPoints({ claims, start_day }: EarningProgress, today: string): PicturePoint[] {
  const points: PicturePoint[] = [{ day: start_day, amount: '0' }]
  let sum = '0'
  for (const { state, claim_day, claimed_amount } of claims) {
    if (state === 'cancelled' || state === 'lapsed') continue
    sum = addDecimals(sum, claimed_amount)
    points.push({ day: claim_day, amount: sum })
  }
  const last = points.at(-1)
  if (last && last.day < today) points.push({ ...last, day: today })
  return points
}

function dayBefore(day: string): string {
  return addDays(day as BusinessDay, -1)
}
