/** No holder is told a figure that the model contradicts. */
import { formatAmount } from '@dct/money'
import { balanceOf, frozenBy } from '../model/books.ts'
import { claimable, countOf, creditedSoFar, type Earning, PAID_AHEAD } from '../model/earning.ts'
import { partsOf } from '../model/rules.ts'
import type { Stage } from '../story/stage.ts'
import type { Wallet } from '../world/wallet.ts'

type Json = Readonly<Record<string, string>>

export async function judgeScreens(stage: Stage): Promise<void> {
  for (const holder of stage.holders) {
    if (!stage.codes.has(holder.tronAddress)) continue
    await judgeEarnings(stage, holder)
    await judgeFees(stage, holder)
    await judgeSummary(stage, holder)
  }
}

async function rows(stage: Stage, holder: Wallet, path: string, name: string): Promise<Json[]> {
  const { status, body } = await stage.api.call(holder, 'GET', path)
  if (status !== 200) stage.accuse('the pages answer', path, `${status} ${String(body.message)}`)
  return (body[name] ?? []) as Json[]
}

async function judgeEarnings(stage: Stage, holder: Wallet): Promise<void> {
  const shown = await rows(stage, holder, '/user/user-earning-history?limit=100', 'earnings')
  for (const earning of stage.earnings().filter(({ staker }) => staker === holder.tronAddress)) {
    const row = shown.find(
      (one) => one.earning_plan_code === earning.plan && one.is_hash_confirmed === 'SUCCESS',
    )
    const subject = `${earning.plan} ${holder.name}`
    if (row === undefined) {
      stage.accuse('a holder sees their stake', subject, 'it is not in the history')
      continue
    }
    compare(stage, subject, row, figuresOf(stage, earning))
  }
}

type Figures = Readonly<Record<string, string | undefined>>

function figuresOf(stage: Stage, earning: Earning): Figures {
  const dct = (base: bigint) => formatAmount('DCT', base as Parameters<typeof formatAmount>[1])
  const isSure = stage.isSure
  const count = countOf(earning, stage.books.excused, earning.through)
  const reason = frozenBy(stage.books, earning)
  return {
    total_locked_amount: dct(earning.stake),
    total_reward: dct(earning.reward),
    distributed_cycles: `${earning.through}`,
    total_shared_reward: isSure ? dct(creditedSoFar(earning)) : undefined,
    total_unclaimed: isSure ? dct(claimable(earning)) : undefined,
    reward_distribution_count: isSure ? `${count}` : undefined,
    is_frozen: isSure ? `${reason !== undefined}` : undefined,
  }
}

function compare(stage: Stage, subject: string, row: Json, figures: Figures): void {
  for (const [name, expected] of Object.entries(figures)) {
    if (expected === undefined || String(row[name]) === expected) continue
    stage.accuse(
      'a screen shows what is so',
      `${name}`,
      `${subject}: ${name} is ${row[name]}, the model says ${expected}`,
    )
  }
}

async function judgeFees(stage: Stage, holder: Wallet): Promise<void> {
  const shown = await rows(stage, holder, '/user/user-claim-history?limit=100', 'claims')
  for (const earning of stage.earnings().filter(({ staker }) => staker === holder.tronAddress)) {
    for (const claim of earning.claims.filter(({ code }) => code !== PAID_AHEAD)) {
      const row = shown.find((one) => one.code_claim === claim.code)
      if (row === undefined) {
        stage.accuse('a claim stays in its history', claim.code, `${holder.name} does not see it`)
        continue
      }
      const state = claim.state === 'unpaid' ? 'awaiting_fee' : claim.state
      const law =
        claim.state === 'paid' ? 'a payment in time pays its fee' : 'only a payment pays a fee'
      if (row.state !== state)
        stage.accuse(law, claim.code, `${claim.code} is ${row.state}, the model says ${state}`)
      const { later } = partsOf(claim.claimed, claim.type)
      stage.coverage.reach(
        'state',
        `claim ${claim.type} ${claim.state}${later > 0n ? '' : ' (empty)'}`,
      )
    }
  }
}

async function judgeSummary(stage: Stage, holder: Wallet): Promise<void> {
  const { body } = await stage.api.call(holder, 'GET', '/user/referral-summary')
  const shown = (body.referral_summary ?? {}) as Json
  if (stage.restores > 0) return
  const usdt = (base: bigint) => formatAmount('USDT', base as Parameters<typeof formatAmount>[1])
  const asShown = (text: string | undefined) => Number(text ?? 'NaN')
  for (const [field, kind] of [
    ['total_direct_reward', 'direct'],
    ['total_indirect_reward', 'non-direct'],
  ] as const) {
    const { earned } = balanceOf(stage.books, holder.tronAddress, kind)
    if (asShown(shown[field]) === asShown(usdt(earned))) continue
    stage.accuse(
      'a bonus is the share of paid fees',
      `${holder.name} ${kind}`,
      `${field} is ${shown[field]}, the model says ${usdt(earned)}`,
    )
  }
}
