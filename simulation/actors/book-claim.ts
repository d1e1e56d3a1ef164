/** The claims that a holder is told of, booked in the model too and compared with it. */
import { amount, parseAmount } from '@dct/money'
import { paidTo } from '../laws/ahead.ts'
import {
  type Books,
  beginDays,
  claim,
  copyOf,
  DAY_MS,
  dayOf,
  earningOf,
  formerPayment,
  useFormerPayment,
} from '../model/books.ts'
import {
  type Claim,
  chargePaid,
  claimable,
  claimedThrough,
  creditedIn,
  type Earning,
  unpaidClaim,
} from '../model/earning.ts'
import { AMOUNT_HELD_DAYS, type ClaimType, feeOf, partsOf, wrongAmount } from '../model/rules.ts'
import { finalPayments, tellFinal } from '../story/chronicle.ts'
import type { Stage } from '../story/stage.ts'
import type { Wallet } from '../world/wallet.ts'

type Parts = { code_claim: string; now_amount: string; later_amount: string }
/** What the service told of a claim. `remade`: those that it had lost and made again before. */
export type Told = Parts & {
  unpaid_fee_usdt: string
  receiver_address: string
  remade?: readonly Parts[]
}

type Made = {
  holder: Wallet
  earning: Earning
  data: Told
  type: ClaimType
  notBeforeBlock: number
}

/** The model makes the same claim, and compares every figure that the holder was told. */
export function bookClaim(stage: Stage, made: Made): Claim {
  const { holder, earning, data, type } = made
  const remade = data.remade?.map((one) => bookRemade(stage, made, one)) ?? []
  const [again] = remade.slice(-1)
  if (again?.code === data.code_claim) return again
  if (stage.isCalm && formerPayment(stage.books, earning) !== undefined)
    stage.accuse('nobody is asked for a fee twice', data.code_claim, 'a payment is there for it')
  const told = partsIn(data)
  const total = told.now + told.later
  const open = unpaidClaim(earning)
  // The service has seen a payment that the model was not told of yet.
  if (open !== undefined) tellFinal(stage)
  catchUp(stage, earning, (_books, one) => claimable(one) === total)
  const subject = `${earning.plan} ${holder.name}`
  if (unpaidClaim(earning) !== undefined) {
    stage.accuse(
      'no new claim while a fee is open',
      subject,
      `a second claim was accepted: ${data.code_claim}`,
    )
  }
  const asked = parseAmount('USDT', data.unpaid_fee_usdt)
  const booked = claim(
    stage.books,
    earning,
    newClaim(stage, made, { code: data.code_claim, asked }),
  )
  judgeParts(stage, booked, told)
  const wrong = wrongAmount(booked.asked, feeOf(amount('DCT', total), stage.books))
  if (wrong !== undefined) stage.accuse('a fee is what the rules say', subject, wrong)
  judgeUnique(stage, booked)
  stage.coverage.reach('state', `claim ${type}`)
  return booked
}

/** The service asks nothing for it: an earlier payment that paid for nothing must be of this holder. */
function bookRemade(stage: Stage, made: Made, remade: Parts): Claim {
  const { earning } = made
  const told = partsIn(remade)
  const total = told.now + told.later
  tellFinal(stage)
  catchUp(stage, earning, (books, one) => {
    const last = formerPayment(books, one)?.last ?? 0
    return creditedIn(one, claimedThrough(one) + 1, last) === total
  })
  const found = formerPayment(stage.books, earning)
  const named = newClaim(stage, made, { code: remade.code_claim, asked: 0n })
  const again = claim(stage.books, earning, named, found?.last)
  judgeParts(stage, again, told)
  if (found === undefined)
    stage.accuse('only a payment pays a fee', again.code, `${again.code} is paid by nothing`)
  else {
    const { payment } = found
    useFormerPayment(stage.books, { earning, claim: again, payment, today: stage.world.day })
    stage.coverage.reach('state', 'a fee paid for a lost claim')
  }
  return again
}

function partsIn({ now_amount, later_amount }: Parts) {
  return { now: dct(now_amount), later: dct(later_amount) }
}

function newClaim(
  stage: Stage,
  { data, type, notBeforeBlock }: Made,
  named: { code: string; asked: bigint },
) {
  const receiver = data.receiver_address.toLowerCase()
  return { ...named, type, receiver, notBeforeBlock, at: stage.world.now }
}

function judgeParts(
  stage: Stage,
  { code, claimed, type }: Claim,
  told: { now: bigint; later: bigint },
): void {
  const parts = partsOf(claimed, type)
  if (parts.now === told.now && parts.later === told.later) return
  stage.accuse(
    'a claim takes what was credited',
    code,
    `claimed ${told.now + told.later}, the model says ${claimed}`,
  )
}

type IsTold = (books: Books, earning: Earning) => boolean

/**
 * A day that the service has begun may be one that the model has not; and before a claim, the service charges what the
 * chain has paid ahead, if it knows. The model follows as far as it takes until what was told is so.
 */
function catchUp(stage: Stage, earning: Earning, isTold: IsTold): void {
  const paid = paidTo(stage, earning)
  for (const isCharged of [true, false]) {
    const day = dayWhen(stage, earning, (books, one) => {
      if (isCharged) chargePaid(one, paid, stage.world.now)
      return isTold(books, one)
    })
    if (day === undefined) continue
    beginDays(stage.books, earning.plan, day)
    if (isCharged) chargePaid(earning, paid, stage.world.now)
    return
  }
  beginDays(stage.books, earning.plan, dayOf(stage.world.now))
}

/** The first day, not later than today, through which it is so; tried on copies. */
function dayWhen({ books, world }: Stage, earning: Earning, isSo: IsTold): number | undefined {
  const { plan, staker, startDay, through } = earning
  for (let day = startDay + through; day <= dayOf(world.now); day += 1) {
    const copy = copyOf(books)
    beginDays(copy, plan, day)
    const one = earningOf(copy, plan, staker)
    if (one !== undefined && isSo(copy, one)) return day
  }
  return undefined
}

function judgeUnique(stage: Stage, made: Claim): void {
  const others = stage
    .earnings()
    .flatMap(({ claims }) => claims)
    .filter((one) => one !== made && one.asked === made.asked)
  const recent = others.filter(
    ({ at, state }) => state === 'unpaid' || stage.world.now - at < AMOUNT_HELD_DAYS * DAY_MS,
  )
  if (recent.length > 0)
    stage.accuse(
      'an amount names one fee',
      made.code,
      `${made.asked} is that of ${recent[0]?.code} too`,
    )
}

function dct(text: string): bigint {
  return parseAmount('DCT', text)
}

/** An amount that arrived and paid nothing may have been meant for a claim that a restore has lost. */
export async function judgeNotArrived(
  stage: Stage,
  { code, asked, receiver }: Claim,
): Promise<void> {
  const arrived = [...stage.books.unmatched, ...finalPayments(stage)]
  if (!arrived.some(({ amount: value, to }) => value === asked && to === receiver)) return
  const path = '/admin/unmatched-payments?limit=100'
  const { body } = await stage.api.call(stage.world.admin, 'GET', path)
  const payments = (body.payments ?? []) as { amount_usdt: string }[]
  if (payments.some((one) => parseAmount('USDT', one.amount_usdt) === asked))
    stage.accuse('nobody is asked for an amount that has arrived', code, `${asked} is there`)
}
