/** The claims that a holder is told of, booked in the model too and compared with it. */
import { amount, parseAmount } from '@dct/money'
import { ARE_REWARDS_TOTALS, paidTo } from '../laws/ahead.ts'
import { beginDays, claim, DAY_MS, dayOf, formerPayment, useFormerPayment } from '../model/books.ts'
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
import { tellFinal } from '../story/chronicle.ts'
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
  catchUpUntil(stage, earning, () => claimable(earning) === total)
  if (claimable(earning) !== total && ARE_REWARDS_TOTALS)
    chargePaid(earning, paidTo(stage, earning), stage.world.now)
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
  const find = () => formerPayment(stage.books, earning)
  const isTold = () => {
    const last = find()?.last ?? 0
    return creditedIn(earning, claimedThrough(earning) + 1, last) === told.now + told.later
  }
  tellFinal(stage)
  catchUpUntil(stage, earning, isTold)
  if (!isTold() && ARE_REWARDS_TOTALS) chargePaid(earning, paidTo(stage, earning), stage.world.now)
  const found = find()
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

/** A day that the service has begun may be one that the model has not. */
function catchUpUntil(stage: Stage, earning: Earning, isDone: () => boolean): void {
  const today = dayOf(stage.world.now)
  for (let day = earning.startDay + earning.through + 1; day <= today && !isDone(); day += 1) {
    beginDays(stage.books, earning.plan, day)
  }
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
