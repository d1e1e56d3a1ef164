/** Admins: they set the price and percentages, approve and decline, and tidy up what alarms name. */
import { parseAmount } from '@dct/money'
import type { Hex } from 'viem'
import { claimIn } from '../chains/payout-vault.ts'
import { balanceOf, claimReferral } from '../model/books.ts'
import { type Kind, type ReferralClaim, unclaimed } from '../model/referral.ts'
import { tellFinal } from '../story/chronicle.ts'
import type { Stage } from '../story/stage.ts'
import { type Wallet, walletOf } from '../world/wallet.ts'
import { choose, type Numbers, type Play } from './act.ts'
import { shown } from './shown.ts'

const KINDS: readonly Kind[] = ['direct', 'non-direct']
const WIRE = { direct: 'direct bonus', 'non-direct': 'non-direct' } as const

export const setPrice: Play = async (stage, [percent, second]) => {
  const factor = BigInt(85 + (percent % 31))
  const price = (stage.books.price * factor) / 100n
  const text = `${price / 100_000_000n}.${`${price % 100_000_000n}`.padStart(8, '0')}`
  const { admin, secondAdmin } = stage.world
  let reply = await stage.api.call(admin, 'POST', '/admin/money-settings', {
    name: 'price',
    value: text,
  })
  if (reply.status === 202 && second % 2 === 0) {
    reply = await stage.api.call(secondAdmin, 'POST', '/admin/money-settings', {
      name: 'price',
      value: text,
    })
  }
  stage.answered('set price', reply)
  stage.say(`admins set the price to ${text}: ${shown(reply)}`)
  if (reply.status === 200 && reply.body.is_set === true) stage.books.price = price
}

const PERCENTAGES = [0, 5, 12, 30, 40, 75] as const

export const setPercentage: Play = async (stage, [who, much]) => {
  const holder = stage.holder(who)
  if (!stage.codes.has(holder.tronAddress)) return
  // The percentage is that of fees settled later, so what is on chain is settled first.
  await stage.world.settle()
  tellFinal(stage)
  await setPercentageOf(stage, holder, choose(PERCENTAGES, much))
}

export async function setPercentageOf(
  stage: Stage,
  holder: Wallet,
  percentage: (typeof PERCENTAGES)[number],
): Promise<void> {
  const body = {
    target_tron_address: holder.tronAddress,
    referral_reward_percentage: `${percentage}`,
  }
  let reply = await stage.api.call(stage.world.admin, 'PUT', '/admin/update-referral-reward', body)
  if (reply.status === 202) {
    reply = await stage.api.call(
      stage.world.secondAdmin,
      'PUT',
      '/admin/update-referral-reward',
      body,
    )
  }
  stage.answered('set percentage', reply)
  stage.say(`admins set the percentage of ${holder.name} to ${percentage}: ${shown(reply)}`)
  const person = stage.books.people.get(holder.tronAddress)
  if (reply.status === 200 && reply.body.is_set === true && person)
    person.percentageBps = BigInt(percentage * 100)
}

/** A referrer has more than one address on BSC. */
export function bonusAddress({ name }: Wallet, which: number): Hex {
  return walletOf(`${name} on BSC ${which % ADDRESSES}`).address
}
export const ADDRESSES = 2

type Bonus = { holder: Wallet; kind: Kind }

/** Bonuses of which something is unclaimed, as far as the model was told, and nothing waits for admins. */
function claimableBonuses({ holders, books, codes }: Stage): Bonus[] {
  return holders
    .filter(({ tronAddress }) => codes.has(tronAddress))
    .flatMap((holder) => KINDS.map((kind) => ({ holder, kind })))
    .filter(({ holder, kind }) => {
      const balance = balanceOf(books, holder.tronAddress, kind)
      const waits = balance.claims.some(({ state }) => state === 'requested')
      return unclaimed(balance) > 0n && !waits
    })
}

/**
 * A referrer asks for all that is unclaimed of one kind, to a BSC address of their choice: whoever was drawn, or anybody who
 * can ask.
 */
export const claimBonus: Play = async (stage, [who, which, where]) => {
  const drawn = { holder: stage.holder(who), kind: choose(KINDS, which) }
  const all = claimableBonuses(stage)
  const own = all.find(({ holder, kind }) => holder === drawn.holder && kind === drawn.kind)
  const { holder, kind } = own ?? (all.length > 0 ? choose(all, who + which) : drawn)
  if (!stage.codes.has(holder.tronAddress)) return
  const to = bonusAddress(holder, where)
  const asked = { purpose: 'referral_claim', usdt_address: to, type: WIRE[kind] }
  const signed = await stage.api.proveWithSession(holder, asked)
  if (signed === undefined) return
  const readable = claimIn(signed.text, holder.address, signed.proof.signature)
  if (readable !== undefined) stage.signedClaims.push(readable)
  const body = { usdt_address: to, type: WIRE[kind], ...signed.proof }
  const reply = await stage.api.call(holder, 'POST', '/user/save-referral-claim-pool', body)
  stage.answered(`claim bonus ${kind}`, reply)
  stage.say(`${holder.name} claims the ${kind} bonus: ${shown(reply)}`)
  if (reply.status !== 200) return
  const sum = parseAmount('USDT', String(reply.body.total_accumulated))
  const balance = balanceOf(stage.books, holder.tronAddress, kind)
  if (unclaimed(balance) < sum) tellFinal(stage)
  const left = unclaimed(balance)
  if (left < sum || (left > sum && stage.restores === 0)) {
    stage.accuse(
      'a bonus is the share of paid fees',
      `${holder.name} ${kind}`,
      `claimed ${sum}, the model says ${left}`,
    )
  }
  claimReferral(balance, { id: String(reply.body.id), amount: sum, to })
}

type Requested = { claim: ReferralClaim; holder: string }

function requested(stage: Stage): Requested[] {
  return stage.holders.flatMap((holder) =>
    KINDS.flatMap((kind) =>
      balanceOf(stage.books, holder.tronAddress, kind)
        .claims.filter(({ state }) => state === 'requested')
        .map((claim) => ({ claim, holder: holder.name })),
    ),
  )
}

export const approveBonus: Play = async (stage, numbers) => {
  await decide(stage, numbers, 'approval')
}

export const declineBonus: Play = async (stage, numbers) => {
  await decide(stage, numbers, 'decline')
}

/** Where nothing waits for a decision, somebody who can asks first. */
async function decide(
  stage: Stage,
  numbers: Numbers,
  decision: 'approval' | 'decline',
): Promise<void> {
  const [which] = numbers
  if (requested(stage).length === 0 && claimableBonuses(stage).length > 0)
    await claimBonus(stage, numbers)
  const open = requested(stage)
  if (open.length === 0) return
  const { claim, holder } = choose(open, which)
  const body =
    decision === 'decline' ? { id: claim.id, reason: 'the address looks wrong' } : { id: claim.id }
  const reply = await stage.api.call(
    stage.world.admin,
    'PUT',
    `/admin/referral-claim-${decision}`,
    body,
  )
  stage.answered(`bonus ${decision}`, reply)
  stage.say(`an admin's ${decision} of the bonus claim ${claim.id} of ${holder}: ${shown(reply)}`)
  if (reply.status !== 200) return
  claim.state = decision === 'decline' ? 'declined' : 'approved'
}

/** A plan takes no new joins, or takes them again. */
export const switchPlan: Play = async (stage, [which, on]) => {
  const plan = stage.plan(which)
  const body = { plan_code: plan, is_active: on % 3 > 0 }
  const reply = await stage.api.call(stage.world.admin, 'PATCH', '/admin/earning-plans', body)
  stage.answered('switch plan', reply)
  stage.say(`an admin switches ${plan} ${body.is_active ? 'on' : 'off'}: ${shown(reply)}`)
}
