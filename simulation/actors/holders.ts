/** Holders: they register, join, claim, pay and cancel, often twice, often not quite as they should. */

import { stakingAbi } from '@dct/contract-abi'
import { amount, formatAmount } from '@dct/money'
import type { Hex } from 'viem'
import { paidTo } from '../laws/ahead.ts'
import { cancel, DAY_MS, dayOf, expire, HOUR_MS } from '../model/books.ts'
import { type Claim, chargePaid, type Earning, mayClaim } from '../model/earning.ts'
import { CANCEL_AFTER_HOURS, type ClaimType, FEE_DAYS_AFTER_END } from '../model/rules.ts'
import { tellFinal } from '../story/chronicle.ts'
import type { Stage } from '../story/stage.ts'
import type { Reply } from '../world/api.ts'
import { PLACES } from '../world/chains.ts'
import { encode, endow, joinOnChain, sendOnTron, sendUsdt, type Wallet } from '../world/wallet.ts'
import { choose, type Play } from './act.ts'
import { bookClaim, judgeNotArrived, type Told } from './book-claim.ts'
import { hasPair, judgePrice } from './market.ts'
import { shown } from './shown.ts'
import { beginToday, days, hours } from './time.ts'

export const register: Play = async (stage, [who, by]) => {
  const holder = stage.holder(who)
  const others = stage.holders.filter((one) => one !== holder && stage.codes.has(one.tronAddress))
  const referrer = others.length > 0 && by % 3 > 0 ? choose(others, by) : undefined
  await registerBy(stage, holder, referrer)
}

export async function registerBy(
  stage: Stage,
  holder: Wallet,
  referrer: Wallet | undefined,
): Promise<void> {
  if (stage.codes.has(holder.tronAddress)) return
  endow(stage.world.chains, holder)
  stage.world.mine(stage.world.chains.tron.rules.finality + 1)
  const code = referrer && stage.codes.get(referrer.tronAddress)
  const reply = await stage.api.register(holder, code)
  stage.answered('register', reply)
  stage.say(`${holder.name} registers${referrer ? ` by ${referrer.name}` : ''}`)
  if (reply.status !== 200) return
  stage.codes.set(holder.tronAddress, String(reply.body.referral_code))
  stage.books.people.set(holder.tronAddress, { referrer: referrer?.tronAddress, percentageBps: 0n })
}

/** Whether the wallet asks for a place before, and tells the service after. */
const WAYS = ['as told', 'without a place', 'without telling', 'twice', 'wrong amount'] as const

export const join: Play = async (stage, [who, which, how, much]) => {
  const [holder, plan] = [stage.holder(who), stage.plan(which)]
  const terms = stage.books.plans.get(plan)
  if (terms === undefined) return
  const way = choose(WAYS, how)
  if (!stage.codes.has(holder.tronAddress)) endow(stage.world.chains, holder)
  const dct = BigInt(10 + (much % 41)) * 1_000_000n
  const text = formatAmount('DCT', dct)
  if (way !== 'without a place') {
    const place = await stage.api.call(holder, 'POST', `/user/earning-plans/${plan}/reserve`, {
      amount: text,
    })
    stage.answered('reserve', place)
  }
  const hash = joinOnChain(stage.world.chains, holder, { amount: dct, plan, days: terms.cycles })
  stage.say(`${holder.name} joins ${plan} with ${text} (${way})`)
  if (way === 'without telling') return
  const told = way === 'wrong amount' ? formatAmount('DCT', amount('DCT', dct - 1_000_000n)) : text
  for (let times = way === 'twice' ? 2 : 1; times > 0; times -= 1) {
    const body = { plan_code: plan, amount: told, trx_hash: hash.slice(2) }
    stage.answered('join', await stage.api.call(holder, 'POST', '/user/earnings', body))
  }
}

/** Whoever was drawn claims; nearly always somebody who can, if they can't. */
export const claimRewards: Play = async (stage, [who, which, how, twice]) => {
  const drawn = { holder: stage.holder(who), plan: stage.plan(which) }
  const isOther = which >= stage.books.plans.size && how % 8 > 0 && !canClaim(stage, drawn)
  const { holder, plan } = (isOther ? somebodyWhoCan(stage, which) : undefined) ?? drawn
  await claimBy(stage, holder, plan, how % 2 === 0 ? 'HALF' : 'FULL', twice % 4 === 0)
}

type Claimant = { holder: Wallet; plan: string }

function canClaim(stage: Stage, { holder, plan }: Claimant): boolean {
  const earning = stage.earningOf(holder, plan)
  return earning !== undefined && stage.codes.has(holder.tronAddress) && mayClaim(earning)
}

/** Whoever can claim, by a number that was drawn; undefined if nobody can. */
export function somebodyWhoCan(stage: Stage, which: number): Claimant | undefined {
  const all = stage.holders
    .flatMap((holder) => [...stage.books.plans.keys()].map((plan) => ({ holder, plan })))
    .filter((one) => canClaim(stage, one))
  return all.length > 0 ? choose(all, which) : undefined
}

export async function claimBy(
  stage: Stage,
  holder: Wallet,
  plan: string,
  type: ClaimType,
  isTwice = false,
): Promise<Claim | undefined> {
  const earning = stage.earningOf(holder, plan)
  if (earning === undefined || !stage.codes.has(holder.tronAddress)) return undefined
  if (hasPair(stage)) await judgePrice(stage)
  const notBeforeBlock = stage.world.chains.bsc.head.number
  const body = { earning_plan_code: plan, claim_type: type }
  const ask = () => stage.api.call(holder, 'POST', '/user/claim', body)
  const replies = isTwice ? await Promise.all([ask(), ask()]) : [await ask()]
  for (const reply of replies) stage.answered(`claim ${type}`, reply)
  stage.say(
    `${holder.name} claims ${type} in ${plan}${isTwice ? ' from two devices at once' : ''}: ${replies.map(shown).join(', ')}`,
  )
  const made = replies.filter(({ status }) => status === 200).map(dataOf)
  // One may have made a lost claim again, and the other the claim of the rest.
  const remade = made.filter((data) => data.remade !== undefined)
  if (made.length - remade.length > 1 || remade.length > 1)
    stage.accuse('one claim at a time', `${plan} ${holder.name}`, 'two claims were made at once')
  if (made.length === 0) return judgeRefusal(stage, earning, replies)
  const inOrder = [...remade, ...made.filter((data) => data.remade === undefined)]
  const booked = inOrder.map((data) =>
    bookClaim(stage, { holder, earning, data, type, notBeforeBlock }),
  )
  for (const claim of booked) if (claim.state === 'unpaid') await judgeNotArrived(stage, claim)
  return booked.at(-1)
}

const dataOf = ({ body }: Reply) => body.data as Told

/** A claim that the model allows must not be refused for a reason that the model contradicts. */
function judgeRefusal(stage: Stage, earning: Earning, replies: readonly Reply[]): undefined {
  const codes = replies.map(({ body }) => String(body.code))
  const contradicted = ['BELOW_MINIMUM_CLAIM', 'NOTHING_TO_CLAIM']
  // Cycles that a thief's payment has paid cannot be claimed any more.
  const charged = structuredClone(earning)
  chargePaid(charged, paidTo(stage, earning), stage.world.now)
  const isAllowed = stage.restores === 0 && stage.isSure && mayClaim(charged)
  if (isAllowed && codes.some((code) => contradicted.includes(code))) {
    stage.accuse(
      'what is claimable can be claimed',
      `${earning.plan} ${earning.staker}`,
      `refused ${codes.join()}`,
    )
  }
}

/** A holder looks whether a claim that was never answered was made. */
export async function findClaim(
  stage: Stage,
  asked: { holder: Wallet; plan: string; notBeforeBlock: number },
): Promise<void> {
  const { holder, plan, notBeforeBlock } = asked
  const earning = stage.earningOf(holder, plan)
  if (earning === undefined) return
  const { body } = await stage.api.call(holder, 'GET', '/user/pending-claim-fees?limit=100')
  const known = new Set(earning.claims.map(({ code }) => code))
  const fees = (body.pending_fees ?? []) as (Told & Record<string, string>)[]
  const made = fees
    .filter((fee) => fee.earning_plan_code === plan && !known.has(fee.code_claim))
    .toSorted((a, b) => Number(a.first_cycle) - Number(b.first_cycle))
  for (const fee of made) {
    const type = fee.claim_type === 'FULL' ? 'FULL' : 'HALF'
    // Nobody else knows its amount: what is paid already was made again from its payment.
    const data = fee.is_paid
      ? { ...fee, remade: [fee] }
      : { ...fee, unpaid_fee_usdt: fee.exact_fee_usdt ?? '' }
    bookClaim(stage, { holder, earning, data, type, notBeforeBlock })
    stage.say(`${holder.name} finds the claim ${fee.code_claim}`)
  }
}

/** How a holder pays. */
export const PAYMENTS = [
  'exact',
  'exact',
  'exact',
  'and tells',
  'too little',
  'too much',
  'twice',
  'from elsewhere',
  'in cents',
] as const

type Open = Claimant & { claim: Claim }

/** Claims whose fee is open, as far as the model was told: that of whoever was drawn, or any. */
function chooseOpen(
  stage: Stage,
  [who, which]: readonly number[],
  isMeant: (claim: Claim) => boolean = () => true,
): Open | undefined {
  const all = stage.holders.flatMap((holder) =>
    stage
      .earnings()
      .filter(({ staker }) => staker === holder.tronAddress)
      .flatMap(({ plan, claims }) =>
        claims
          .filter((claim) => claim.state === 'unpaid' && isMeant(claim))
          .map((claim) => ({ holder, plan, claim })),
      ),
  )
  const [holder, plan] = [stage.holder(who ?? 0), stage.plan(which ?? 0)]
  const own = all.find((one) => one.holder === holder && one.plan === plan)
  return own ?? (all.length > 0 ? choose(all, who ?? 0) : undefined)
}

/** Somebody who can makes a claim. */
async function openClaim(stage: Stage, which: number, type: ClaimType): Promise<Open | undefined> {
  const found = somebodyWhoCan(stage, which)
  const claim = found && (await claimBy(stage, found.holder, found.plan, type))
  return found && claim?.state === 'unpaid' ? { ...found, claim } : undefined
}

/** Of whoever was drawn, or any open fee; where there is none, somebody claims first. */
export const payFee: Play = async (stage, [who, which, how, half]) => {
  const open =
    chooseOpen(stage, [who, which]) ??
    (await openClaim(stage, who, half % 2 === 0 ? 'HALF' : 'FULL'))
  if (open === undefined) return
  await payBy(stage, open.holder, open.plan, open.claim, choose(PAYMENTS, how))
}

export async function payBy(
  stage: Stage,
  holder: Wallet,
  plan: string,
  open: Claim,
  way: (typeof PAYMENTS)[number],
): Promise<Hex> {
  const { chains } = stage.world
  const from =
    way === 'from elsewhere' ? choose(stage.holders, stage.holders.indexOf(holder) + 1) : holder
  if ((chains.bsc.state.usdt.balances.get(from.address) ?? 0n) < open.asked * 2n)
    endow(chains, from)
  const cut = open.asked - (open.asked % 10n ** 16n)
  const value =
    { 'too little': open.asked - 10n ** 15n, 'too much': open.asked + 10n ** 18n, 'in cents': cut }[
      way as string
    ] ?? open.asked
  const pay = () => sendUsdt(chains, from.address, { to: open.receiver as Hex, value })
  const hash = pay()
  if (way === 'twice') pay()
  stage.say(`${holder.name} pays the fee of ${open.code} (${way})`)
  stage.coverage.reach('state', `fee paid ${way}`)
  if (way !== 'and tells') return hash
  const body = { earning_plan_code: plan, tx_hash_usdt: hash, code_claim: open.code }
  stage.answered('pay fee', await stage.api.call(holder, 'POST', '/user/pay-claim-fee', body))
  return hash
}

/** A holder with an open fee waits until the last hours in which it can be paid. */
export const lastMoment: Play = async (stage, [who, which, omitted]) => {
  const found = chooseOpen(stage, [who, which]) ?? (await openClaim(stage, who, 'HALF'))
  if (found === undefined) return
  const { holder, plan, claim: open } = found
  const earning = stage.earningOf(holder, plan)
  if (earning === undefined) return
  const until = earning.endsAt + FEE_DAYS_AFTER_END * DAY_MS
  await days(stage, dayOf(until) - stage.world.day)
  await hours(stage, Math.max(1, Math.floor((until - stage.world.now) / HOUR_MS) - 1))
  const hash = await payBy(stage, holder, plan, open, 'exact')
  if (omitted % 2 === 0) for (const { mood } of stage.world.chains.bscNodes) mood.omitted.add(hash)
  stage.world.mine(3)
  // The watchers are quicker than whatever looks for holes.
  await stage.world.turn((loop) => loop.startsWith('watcher'))
  await stage.world.moveTo(until + DAY_MS + 2 * HOUR_MS)
  stage.world.mine(3)
  await stage.world.turn((loop) => loop.startsWith('watcher') || loop === 'jobs')
  tellFinal(stage)
  expire(stage.books, stage.world.now)
  beginToday(stage)
  stage.say(
    `${holder.name} paid at the last moment${omitted % 2 === 0 ? ', and the nodes leave it out' : ''}`,
  )
}

/** Any open claim, or a new one; most holders have read that it takes a day, and wait for it. */
export const cancelClaim: Play = async (stage, [who, which, how]) => {
  const isFull = ({ type }: Claim) => type === 'FULL' || how % 5 === 0
  const found = chooseOpen(stage, [who, which], isFull) ?? (await openClaim(stage, who, 'FULL'))
  if (found === undefined) return
  const { holder, claim: open } = found
  const isTooEarly = () => stage.world.now - open.at < CANCEL_AFTER_HOURS * HOUR_MS
  while (how % 3 > 0 && isTooEarly()) await days(stage, 1)
  const reply = await stage.api.call(holder, 'POST', '/user/cancel-claim', {
    code_claim: open.code,
  })
  stage.answered('cancel', reply)
  stage.say(`${holder.name} cancels ${open.code}: ${shown(reply)}`)
  if (reply.status !== 200) return
  try {
    cancel(stage.books, open, stage.world.now)
  } catch (error) {
    stage.accuse('only what may be cancelled is', open.code, String(error))
  }
}

/** Anybody can ask the contract to release a stake that has ended. */
export const releaseCapital: Play = async (stage, [which]) => {
  const { staking } = stage.world.chains.tron.state
  if (staking.stakes.length === 0) return
  const stakeId = BigInt((which % staking.stakes.length) + 1)
  const anybody = stage.holder(which)
  endow(stage.world.chains, anybody)
  sendOnTron(stage.world.chains, anybody.address, {
    to: PLACES.staking,
    data: encode(stakingAbi, 'release', [stakeId]),
  })
  stage.say(`somebody asks for the release of stake ${stakeId}`)
}
