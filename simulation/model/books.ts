/**
 * The second opinion: what everybody is owed, from the facts alone. Facts are what people did, what the chains made
 * final, and which days began; none of it is taken from the service's own books.
 */
import { amount, type Dct, type Usdt } from '@dct/money'
import {
  beginCycle,
  type Claim,
  claimable,
  claimedThrough,
  countOf,
  creditedIn,
  type Earning,
  PAID_AHEAD,
  unpaidClaim,
} from './earning.ts'
import { type Balance, type Kind, type ReferralClaim, sharesOf } from './referral.ts'
import {
  CANCEL_AFTER_HOURS,
  CLAIM_DAYS_AFTER_END,
  type ClaimType,
  centsIn,
  FEE_DAYS_AFTER_END,
  feeOf,
  freezeLimit,
  hasTail,
  MINIMUM_CLAIM,
  rewardOf,
} from './rules.ts'

export const HOUR_MS = 3_600_000
export const DAY_MS = 24 * HOUR_MS
/** Business days begin at 00:00 in UTC+7. */
export const dayOf = (at: number) => Math.floor((at + 7 * HOUR_MS) / DAY_MS)
export const startOf = (day: number) => day * DAY_MS - 7 * HOUR_MS

export type Plan = {
  code: string
  cycles: number
  rateBps: bigint
  /** The last business day that began for this plan. */
  begun?: number
}
export type Person = { referrer: string | undefined; percentageBps: bigint }

export type Books = {
  plans: Map<string, Plan>
  /** By Tron address. */
  people: Map<string, Person>
  /** By plan and staker: nobody stakes twice in a plan. */
  earnings: Map<string, Earning>
  /** Days that excuse everybody. */
  excused: Set<number>
  /** By referrer and kind. */
  balances: Map<string, Balance>
  /** Payments of fees that paid no claim. */
  unmatched: Payment[]
  /** Whose fees an address has paid. */
  payers: Map<string, Set<string>>
  price: bigint
  energyFee: Usdt
  directBps: bigint
}

/** USDT that reached a fee receiver, final. `at`: its block's time. */
export type Payment = { to: string; amount: bigint; block: number; at: number; from: string }

export function emptyBooks(terms: Pick<Books, 'price' | 'energyFee' | 'directBps'>): Books {
  return {
    plans: new Map(),
    people: new Map(),
    earnings: new Map(),
    excused: new Set(),
    balances: new Map(),
    unmatched: [],
    payers: new Map(),
    ...terms,
  }
}

/** The books of another moment, to return to when the service's are restored to it. */
export function copyOf(books: Books): Books {
  return structuredClone(books)
}

const key = (...parts: string[]) => parts.join(' ')

export function earningOf(books: Books, plan: string, staker: string): Earning | undefined {
  return books.earnings.get(key(plan, staker))
}

/** A stake became final on chain, whoever made it and however. */
export function stake(
  books: Books,
  made: { plan: string; staker: string; stake: Dct; at: number },
): Earning {
  const plan = books.plans.get(made.plan)
  if (plan === undefined) throw new Error(`no plan ${made.plan}`)
  const begun: Earning = {
    staker: made.staker,
    plan: made.plan,
    stake: made.stake,
    reward: rewardOf(made.stake, plan.rateBps),
    cycles: plan.cycles,
    startDay: dayOf(made.at),
    through: 0,
    credited: [],
    excused: new Set(),
    claims: [],
    endsAt: made.at + plan.cycles * DAY_MS,
    hasExpired: false,
  }
  books.earnings.set(key(made.plan, made.staker), begun)
  // Whoever hears of it late catches up.
  beginDays(books, made.plan, plan.begun ?? 0)
  return begun
}

/** A plan's cycles of all days up to this one begin, in order. Days that began already are left alone. */
export function beginDays(books: Books, plan: string, day: number): void {
  const terms = books.plans.get(plan)
  if (terms !== undefined) terms.begun = Math.max(day, terms.begun ?? 0)
  for (const earning of books.earnings.values()) {
    if (earning.plan !== plan) continue
    creditExcused(books, earning)
    const last = Math.min(earning.cycles, day - earning.startDay)
    while (earning.through < last) beginCycle(earning, books.excused)
  }
}

/** Nobody could claim for more than an hour of this day. What lapsed in it is credited again once the day is over. */
export function excuse(books: Books, day: number): void {
  books.excused.add(day)
  for (const earning of books.earnings.values()) {
    if (day < (books.plans.get(earning.plan)?.begun ?? 0)) creditExcused(books, earning)
  }
}

/** The same for one earning: its fee was on chain that day, and not settled yet. */
export function excuseOne(earning: Earning, day: number): void {
  earning.excused.add(day)
  creditAgain(earning, day)
}

function creditExcused(books: Books, earning: Earning): void {
  const begun = earning.startDay + earning.through
  for (const day of [...books.excused, ...earning.excused]) {
    if (day <= begun) creditAgain(earning, day)
  }
}

/** What a claim has passed by stays lost: it ended the lapse. */
function creditAgain(earning: Earning, day: number): void {
  const cycle = day - earning.startDay
  if (cycle > claimedThrough(earning) && cycle <= earning.through) earning.credited[cycle] = true
}

/** Why an earning is shown frozen; undefined if it is not. */
export function frozenBy(books: Books, earning: Earning): 'unpaid fee' | 'unclaimed' | undefined {
  if (unpaidClaim(earning) !== undefined) return 'unpaid fee'
  const count = countOf(earning, books.excused, earning.through)
  return count >= freezeLimit(earning.reward, earning.cycles) ? 'unclaimed' : undefined
}

export type NewClaim = {
  code: string
  type: ClaimType
  asked: bigint
  receiver: string
  notBeforeBlock: number
  at: number
}

/** A holder claims: it takes all that is claimable, or what is so through a cycle. */
export function claim(
  books: Books,
  earning: Earning,
  made: NewClaim,
  last = earning.through,
): Claim {
  const first = claimedThrough(earning) + 1
  const claimed = last === earning.through ? claimable(earning) : creditedIn(earning, first, last)
  const taken: Claim = {
    ...made,
    first,
    last,
    claimed,
    fee: feeOf(claimed, books),
    state: 'unpaid',
  }
  earning.claims.push(taken)
  return taken
}

/** A FULL claim whose fee is unpaid can be taken back after a day. */
export function cancel(books: Books, claim: Claim, at: number): void {
  if (claim.type === 'HALF') throw new Error('HALF can not be cancelled')
  if (claim.state !== 'unpaid') throw new Error(`a ${claim.state} claim can not be cancelled`)
  if (at - claim.at < CANCEL_AFTER_HOURS * HOUR_MS) throw new Error('too early to cancel')
  claim.state = 'cancelled'
  const earning = [...books.earnings.values()].find(({ claims }) => claims.includes(claim))
  if (earning !== undefined) creditExcused(books, earning)
}

/** The unpaid claim that a payment pays: to its receiver, of exactly its amount, after it was made, in time. */
export function claimPaidBy(
  books: Books,
  payment: Payment,
): { earning: Earning; claim: Claim } | undefined {
  for (const earning of books.earnings.values()) {
    const claim = unpaidClaim(earning)
    if (claim === undefined || claim.asked !== payment.amount) continue
    const isInTime = payment.at <= earning.endsAt + FEE_DAYS_AFTER_END * DAY_MS
    const isLater = payment.block > claim.notBeforeBlock
    if (claim.receiver === payment.to && isLater && isInTime) return { earning, claim }
  }
  return undefined
}

/** A payment may exceed the fee of another claim than its own by so much. */
const MOST_PERCENT = 110n

/**
 * The payment of a claim that is not known any more, and the last cycle that it pays for: of the holder, with the amount of
 * a fee. It comes from an address that has paid fees of this holder and of nobody else. No cycles were charged with what a
 * chain had paid since: it may have been their fee. It is the fee of the first cycles, of those that had begun; else it
 * covers the fee of all.
 */
export function formerPayment(
  books: Books,
  earning: Earning,
): { payment: Payment; last: number } | undefined {
  const { staker } = earning
  const own = [...books.earnings.values()].filter((one) => one.staker === staker)
  const known = own.flatMap(({ claims }) => claims)
  for (const payment of books.unmatched) {
    const { to, from, amount: value, at } = payment
    const isOwn =
      hasTail(value) &&
      at <= earning.endsAt + FEE_DAYS_AFTER_END * DAY_MS &&
      !known.some(({ asked, receiver }) => asked === value && receiver === to) &&
      !known.some((one) => one.code === PAID_AHEAD && one.at >= at) &&
      [...(books.payers.get(from) ?? [])].join() === staker
    const last = isOwn ? lastPaidBy(books, earning, payment) : undefined
    if (last !== undefined) return { payment, last }
  }
  return undefined
}

function lastPaidBy(books: Books, earning: Earning, payment: Payment): number | undefined {
  const first = claimedThrough(earning) + 1
  const asked = centsIn(payment.amount)
  for (let last = earning.through; last >= first; last -= 1) {
    const claimed = creditedIn(earning, first, last)
    const isEnough = claimed >= MINIMUM_CLAIM || (claimed > 0n && last === earning.cycles)
    const hadBegun = earning.startDay + last <= dayOf(payment.at)
    const isLeast = earning.credited[last] === true
    if (isEnough && hadBegun && isLeast && feeOf(claimed, books).cents === asked) return last
  }
  const { cents } = feeOf(claimable(earning), books)
  const coversAll = payment.amount >= cents && payment.amount * 100n <= cents * MOST_PERCENT
  return coversAll ? earning.through : undefined
}

/** The claim that was just made is paid by it: no day since the payment counts. */
export function useFormerPayment(
  books: Books,
  {
    earning,
    claim,
    payment,
    today,
  }: { earning: Earning; claim: Claim; payment: Payment; today: number },
): void {
  books.unmatched = books.unmatched.filter((one) => one !== payment)
  claim.state = 'paid'
  creditReferrers(books, earning.staker, claim.fee.base)
  for (let day = dayOf(payment.at) + 1; day <= today; day += 1) excuseOne(earning, day)
}

/** USDT arrives at a fee receiver: it pays the claim that it fits, and its referrers get their shares at once. */
export function receive(books: Books, payment: Payment): Claim | undefined {
  const found = claimPaidBy(books, payment)
  if (found === undefined) {
    books.unmatched.push(payment)
    return undefined
  }
  found.claim.state = 'paid'
  const { staker } = found.earning
  books.payers.set(payment.from, new Set([...(books.payers.get(payment.from) ?? []), staker]))
  creditReferrers(books, found.earning.staker, found.claim.fee.base)
  return found.claim
}

function creditReferrers(books: Books, payer: string, base: Usdt): void {
  for (const share of sharesOf(base, lineOf(books, payer), books.directBps)) {
    const balance = balanceOf(books, share.referrer, share.kind)
    balance.earned = amount('USDT', balance.earned + share.amount)
  }
}

function lineOf(books: Books, payer: string) {
  const line: { referrer: string; percentageBps: bigint }[] = []
  for (
    let next = books.people.get(payer)?.referrer;
    next !== undefined;
    next = books.people.get(next)?.referrer
  ) {
    line.push({ referrer: next, percentageBps: books.people.get(next)?.percentageBps ?? 0n })
  }
  return line
}

export function balanceOf(books: Books, referrer: string, kind: Kind): Balance {
  const at = key(referrer, kind)
  const found = books.balances.get(at) ?? { earned: amount('USDT', 0n), claims: [] }
  books.balances.set(at, found)
  return found
}

export function claimReferral(balance: Balance, made: Omit<ReferralClaim, 'state'>): void {
  balance.claims.push({ ...made, state: 'requested' })
}

/** What was never claimed, and claims whose fee was never paid, are lost 180 and 210 days after the end. */
export function expire(books: Books, now: number): void {
  for (const earning of books.earnings.values()) {
    if (now > earning.endsAt + CLAIM_DAYS_AFTER_END * DAY_MS) earning.hasExpired = true
    const open = unpaidClaim(earning)
    if (open !== undefined && now > earning.endsAt + FEE_DAYS_AFTER_END * DAY_MS)
      open.state = 'lapsed'
  }
}
