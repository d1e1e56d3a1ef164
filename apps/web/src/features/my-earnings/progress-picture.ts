import type { EarningProgress } from '@dct/api-contract/claims'
import { addDays, type BusinessDay, daysBetween } from '@dct/rules/business-day'
import { addDecimals, scaleDecimal, subtractDecimals } from '../../shared/lib/decimal.ts'

/** A point of a line: how much there was when that business day was over. */
export type PicturePoint = { day: string; amount: string }
export type PictureBand = { from: string; to: string }

/** What the picture of an earning shows; amounts are DCT. */
export type ProgressPicture = {
  firstDay: string
  lastDay: string
  whole: string
  credited: PicturePoint[]
  claimed: PicturePoint[]
  /** From what is credited now to what will be at the end, if nothing more is lost. */
  toCome: PicturePoint[]
  /** Days at whose end the earning was frozen; lost days lie within them. */
  frozen: PictureBand[]
  lost: PictureBand[]
  lostAmount: string
  frozenDays: number
}

/** Adds an earning's stretches and claims up to lines and bands over its days. */
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

/** The part of a picture that has happened, and the month after it. */
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

/** Claims that were taken back, or never paid, moved nothing. */
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
