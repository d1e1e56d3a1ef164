import { FREEZE_REMINDER_DAYS, LAST_DAYS_REMINDERS } from '@dct/rules/constants'
import { lapsedOfCycles, stateOfStake } from '@dct/rules/cycles'
import { creditedCyclesLeft, firstClaimableCycle } from '@dct/rules/freezing'
import {
  addDays,
  type BusinessDay,
  businessDayOf,
  type Clock,
  daysBetween,
} from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { type HolderMessage, messageHolders } from '../messages/index.ts'
import { claimUntil, feeUntil } from './claimable.ts'
import { own } from './earnings.tables.ts'
import { type EarningFacts, readEarningFacts } from './lists/earning-facts.queries.ts'

const EARNINGS_A_STEP = 500

export type EarningMessagesDeps = {
  db: Db
  clock: Clock
  dctDecimals: number
  areClaimsOpen(tx: Tx, now: Date): Promise<boolean>
  /** Interval between two passes over all earnings, in ms of real time. */
  pauseMs: number
}

/**
 * Notifies holders before their earnings freeze, when they have frozen and when rewards are being lost, before the last
 * day to claim or to pay a fee after the end, and when a claim is possible: each once, however often it runs, and of
 * several reminders only the latest. Only considers holders who receive messages. Several instances may run concurrently.
 */
export function createEarningMessages(deps: EarningMessagesDeps): Loop {
  let after = 0n
  return {
    name: 'earning messages',
    pauseMs: deps.pauseMs,
    async step() {
      const last = await inTransaction(deps.db, (tx) => messageNext(deps, tx, after))
      after = last ?? 0n
      return last === undefined
    },
  }
}

/** @returns the last earning checked; undefined if there are no more */
async function messageNext(deps: EarningMessagesDeps, tx: Tx, after: bigint) {
  const now = deps.clock.now()
  const earnings = await earningsOfListeners(tx, after)
  const ids = earnings.map(({ id }) => id)
  const facts = await readEarningFacts(tx, { ...deps, ids })
  const circumstances = {
    now,
    areClaimsOpen: earnings.length > 0 && (await deps.areClaimsOpen(tx, now)),
  }
  const found = earnings.flatMap((earning) => {
    const known = facts.get(earning.id)
    return known === undefined ? [] : messagesOf({ ...earning, ...known }, circumstances)
  })
  await messageNew(tx, found)
  return earnings.length < EARNINGS_A_STEP ? undefined : earnings.at(-1)?.id
}

function earningsOfListeners(tx: Tx, after: bigint) {
  return own(tx)
    .selectFrom('earning as e')
    .innerJoin('listener_view as l', 'l.address', 'e.staker')
    .select(['e.id', 'e.plan_code', 'e.ends_at', 'l.user_id'])
    .where('e.id', '>', after)
    .where('e.is_settled', '=', false)
    .orderBy('e.id')
    .limit(EARNINGS_A_STEP)
    .execute()
}

type Earning = Awaited<ReturnType<typeof earningsOfListeners>>[number] & EarningFacts
type Circumstances = { now: Date; areClaimsOpen: boolean }
type Found = { earningId: bigint; about: string; message: HolderMessage }

/** The messages due for an earning now, whether or not they have already been sent. */
function messagesOf(earning: Earning, circumstances: Circumstances): Found[] {
  const due = [
    freezeMessage(earning, circumstances),
    lastDaysMessage(earning, circumstances),
    claimableMessage(earning, circumstances),
  ]
  return due.flatMap((one) => {
    if (one === undefined) return []
    const { about, ...rest } = one
    const key = `${earning.id}:${about}`
    const message = {
      ...rest,
      userId: earning.user_id,
      key,
      at: circumstances.now,
    } as HolderMessage
    return [{ earningId: earning.id, about, message }]
  })
}

/** `about` identifies the message among all messages about the earning. */
type Due = { about: string } & Pick<HolderMessage, 'kind' | 'facts'>

function freezeMessage(earning: Earning, { now }: Circumstances): Due | undefined {
  const { cycle, cycles, startDay, freezeLimit, claimedThrough, hasOpenFee } = earning
  const { count } = stateOfStake(earning)
  const dayOf = (number: number) => (number <= cycles ? addDays(startDay, number) : null)
  if (cycle >= cycles) return undefined
  const lapsesOn = dayOf(cycle + creditedCyclesLeft({ ...earning, count }) + 1)
  const facts = {
    plan_code: earning.plan_code,
    lapses_on: lapsesOn ?? 'none',
    open_fee: hasOpenFee ? 'yes' : 'no',
  }
  if (count >= freezeLimit) {
    const loss = lossOf(earning)
    const about = `${loss === undefined ? 'frozen' : 'losing'} ${claimedThrough}`
    return { about, kind: 'frozen', facts: { ...facts, ...(loss ?? { variant: '' }) } }
  }
  const freezesOn = dayOf(cycle + freezeLimit - count)
  if (freezesOn === null) return undefined
  const days = daysBetween(businessDayOf(now), freezesOn)
  const step = FREEZE_REMINDER_DAYS.find((known) => days >= 1 && days <= known)
  if (step === undefined) return undefined
  const opens = firstClaimableCycle(earning)
  const opensOn: BusinessDay = addDays(startDay, opens)
  return {
    about: `freeze ${freezesOn} ${step}`,
    kind: 'freeze_reminder',
    facts: {
      ...facts,
      ...{ days, freezes_on: freezesOn, opens_on: opensOn },
      // A claim is not always possible before the freeze; then it becomes possible in the days after it, before rewards
      // are lost.
      variant: opens <= cycle ? '' : opensOn < freezesOn ? 'Later' : 'Grace',
    },
  }
}

/** What an earning has lost since its last claim and is still losing; undefined while it loses nothing. */
function lossOf(earning: Earning) {
  const { claimedThrough, cycle, startDay } = earning
  const running = earning.lapsed.find(({ last }) => last === null)
  if (running === undefined) return undefined
  const units = lapsedOfCycles(earning, { after: claimedThrough, through: cycle })
  const since_on = addDays(startDay, running.first)
  return { variant: 'Losing', since_on, amount: { asset: 'DCT', units } } as const
}

/** What is lost soon after the end, with its last day: what can still be claimed, otherwise what waits for its fee. */
function lastDaysMessage(earning: Earning, { now }: Circumstances): Due | undefined {
  const { plan_code, ends_at, hasOpenFee } = earning
  const { amount: units } = stateOfStake(earning).claimable
  const isToClaim = units > 0n && now <= claimUntil(ends_at)
  if (!isToClaim && !hasOpenFee) return undefined
  const until = isToClaim ? claimUntil(ends_at) : feeUntil(ends_at)
  // Named by the last whole day, as on the pages.
  const last_on = addDays(businessDayOf(until), -1)
  const days = daysBetween(businessDayOf(now), last_on)
  const step = LAST_DAYS_REMINDERS.find((known) => days >= 0 && days <= known)
  if (step === undefined) return undefined
  const when = { plan_code, days, last_on }
  const toClaim = { variant: 'Claim', open_fee: hasOpenFee ? 'yes' : 'no' } as const
  return {
    about: `until ${last_on} ${step}`,
    kind: 'last_days',
    facts: isToClaim
      ? { ...when, ...toClaim, amount: { asset: 'DCT', units } }
      : { ...when, variant: 'Fee' },
  }
}

function claimableMessage(earning: Earning, circumstances: Circumstances): Due | undefined {
  const { now, areClaimsOpen } = circumstances
  const { cycle, cycles, claimedThrough, minimumClaim } = earning
  if (earning.hasOpenFee || !areClaimsOpen || now > claimUntil(earning.ends_at)) return undefined
  const units = stateOfStake(earning).claimable.amount
  if (units <= 0n || (units < minimumClaim && cycle < cycles)) return undefined
  const amount = { asset: 'DCT', units } as const
  const facts = { plan_code: earning.plan_code, amount }
  return { about: `claimable ${claimedThrough}`, kind: 'claimable', facts }
}

/** Sends the messages not sent before and records them as sent, in one transaction. */
async function messageNew(tx: Tx, found: readonly Found[]): Promise<void> {
  if (found.length === 0) return
  const noted = await own(tx)
    .insertInto('earning_message')
    .values(
      found.map(({ earningId, about, message }) => ({
        earning_id: earningId,
        about,
        written_at: message.at,
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returning(['earning_id', 'about'])
    .execute()
  const isNew = new Set(noted.map(({ earning_id, about }) => `${earning_id}:${about}`))
  await messageHolders(
    tx,
    found.flatMap(({ message }) => (isNew.has(message.key) ? [message] : [])),
  )
}
