import { amount, formatAmount, parseAmount } from '@dct/money'
import { referralShares, type Upline } from '@dct/rules/referral-shares'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase, wipe } from '../../testing/database.ts'
import { elementAt } from '../../testing/element-at.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { payFee, setRate } from '../../testing/referrals.ts'
import { givenUser, type TestUser } from '../../testing/users.ts'
import { postTransfers } from '../ledger/index.ts'
import { ensureMoneySetting, setMoneySetting } from '../pricing/set-money-setting.ts'
import { approveReferralClaim } from '../referrals/claims/approve-referral-claim.ts'
import { claimTransfer } from '../referrals/referral-account.ts'
import { setReferralRate } from '../referrals/rewards/set-referral-rate.ts'
import { previewRate } from './preview-rate.ts'
import { waitingProposals } from './waiting-proposals.queries.ts'

const clock = new ManualClock('2026-02-01T10:00:00Z')
const database = useTestDatabase()
beforeEach(async () => {
  await wipe(database.db)
  clock.set('2026-02-01T10:00:00Z')
})

const deps = () => ({ db: database.db, clock, secondApprovalRateBps: 3_000n })
const given = (referrerId?: bigint, role: 'user' | 'admin' = 'user') =>
  givenUser(
    { db: database.db, clock, realClock },
    { role, ...(referrerId === undefined ? {} : { referrerId }) },
  )

/** A fee that was paid this many days ago, with its claim. */
async function givenFee(payer: TestUser, usdt: string, daysAgo = 1) {
  const feeId = await payFee({ db: database.db, clock }, { payerId: payer.id, usdt })
  const paidAt = new Date(clock.now().getTime() - daysAgo * DAY_MS)
  await database.db.transaction().execute(async (tx) => {
    // The claim's own earning does not matter for this test.
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      insert into claim (id, code_claim, earning_id, stake_id, staker, user_id, plan_code, kind,
          first_cycle, last_cycle, previous_through, amount, now_amount, later_amount, price, unpaid_fee,
          fee_usdt, energy_fee, exact_amount, receiver, not_before_block, state, requested_at, fee_until,
          paid_at, fee_tx, fee_log_index)
        overriding system value
        values (${feeId}, ${`CL-${feeId}`}, ${feeId}, 1, ${payer.address}, ${payer.id}, 'PLAN-360', 'FULL',
          ${Number(feeId)}, ${Number(feeId)}, 0, 1, 0, 1, 1, 1, 1, 1, 1, ${payer.address}, 0, 'paid',
          ${paidAt}, ${paidAt}, ${paidAt}, sha256(${`${feeId}`}::bytea), 0)`.execute(tx)
  })
}

test('a percentage is previewed with the fees of the last 30 days, and nothing changes', async () => {
  const top = await given()
  const middle = await given(top.id)
  const payer = await given(middle.id)
  const other = await given()
  await setRate(database, { userId: top.id, bps: 2_000 })
  await givenFee(payer, '10')
  await givenFee(payer, '90', 31)
  await givenFee(other, '1000')
  const preview = await previewRate(deps(), { userId: middle.id, adminId: 0n, rateBps: 1_500n })
  expect(preview).toMatchObject({
    ...{ old_percentage: '0', new_percentage: '15', users_below: 1, needs_second_admin: false },
    fees: { payers: 1, total_usdt: '10.000000', is_partial: false },
    own_share: { before: '0.000000', after: '1.500000' },
    // The upline gets only the difference, so the whole line costs the same as before.
    all_shares: { before: '2.000000', after: '2.000000', difference: '0.000000' },
    same_or_higher_below: { count: 0, examples: [] },
  })
  await given(undefined, 'admin')
  const raised = await previewRate(deps(), { userId: middle.id, adminId: 0n, rateBps: 4_000n })
  expect(raised).toMatchObject({
    needs_second_admin: true,
    own_share: { after: '4.000000' },
    all_shares: { difference: '2.000000' },
  })
  const rate = await database.db
    .selectFrom('app_user')
    .select('referral_reward_bps')
    .where('id', '=', middle.id)
    .executeTakeFirstOrThrow()
  expect(rate.referral_reward_bps).toBe(0)
})

test('users below with the same or a higher percentage are listed, the highest first', async () => {
  const top = await given()
  const left = await given(top.id)
  const deep = await given(left.id)
  const right = await given(top.id)
  for (const [user, bps] of [
    [left, 1_000],
    [deep, 2_500],
    [right, 999],
  ] as const) {
    await setRate(database, { userId: user.id, bps })
  }
  const { same_or_higher_below: below } = await previewRate(deps(), {
    userId: top.id,
    adminId: 0n,
    rateBps: 1_000n,
  })
  expect(below).toEqual({
    count: 2,
    examples: [
      { tron_address: deep.wallet.tronAddress, percentage: '25' },
      { tron_address: left.wallet.tronAddress, percentage: '10' },
    ],
  })
  const none = await previewRate(deps(), { userId: top.id, adminId: 0n, rateBps: 0n })
  expect(none.same_or_higher_below.count).toBe(0)
})

test('in any tree, the preview equals the result of crediting the same fees', async () => {
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  const people: { user: TestUser; above: number | undefined; bps: number }[] = []
  for (let index = 0; index < 24; index += 1) {
    const above = index === 0 ? undefined : random(index)
    const user = await given(above === undefined ? undefined : people[above]?.user.id)
    const bps = random(3) === 0 ? random(15) * 500 : 0
    people.push({ user, above, bps })
    await setRate(database, { userId: user.id, bps })
  }
  const fees = new Map<number, bigint>()
  for (let payment = 0; payment < 12; payment += 1) {
    const payer = random(people.length)
    const usdt = `${1 + random(50)}`
    await givenFee(elementAt(people, payer).user, usdt)
    fees.set(payer, (fees.get(payer) ?? 0n) + parseAmount('USDT', usdt))
  }
  const chainOf = (index: number): number[] => {
    const above = people[index]?.above
    return above === undefined ? [] : [above, ...chainOf(above)]
  }
  for (const chosen of [0, 1, 2, 5]) {
    for (const bps of [0n, 500n, 3_500n, 7_500n]) {
      const total = (own: bigint) => {
        const sums = { own: 0n, all: 0n }
        for (const [payer, fee] of fees) {
          const chain = chainOf(payer)
          if (!chain.includes(chosen)) continue
          const line: Upline[] = chain.map((index, level) => ({
            userId: BigInt(index),
            level: level + 1,
            rateBps: index === chosen ? own : BigInt(people[index]?.bps ?? 0),
          }))
          const feeUsdt = amount('USDT', fee)
          for (const share of referralShares({
            ...{ feeUsdt, directRateBps: 0n, referrerId: undefined, line },
          })) {
            sums.all += share.amount
            if (share.receiverId === BigInt(chosen)) sums.own += share.amount
          }
        }
        return sums
      }
      const person = people[chosen]
      if (person === undefined) throw new Error('nobody')
      const [before, after] = [total(BigInt(person.bps)), total(bps)]
      const usdt = (units: bigint) => formatAmount('USDT', units)
      const preview = await previewRate(deps(), {
        userId: person.user.id,
        adminId: 0n,
        rateBps: bps,
      })
      expect([chosen, bps, preview.own_share, preview.all_shares]).toEqual([
        ...[chosen, bps, { before: usdt(before.own), after: usdt(after.own) }],
        {
          before: usdt(before.all),
          after: usdt(after.all),
          difference: usdt(after.all - before.all),
        },
      ])
    }
  }
})

test('each admin sees the entries that await a second admin, and whether the entries are their own', async () => {
  const [first, second] = [await given(undefined, 'admin'), await given(undefined, 'admin')]
  const earner = await given()
  const recordAdminAction = async () => undefined
  const rates = { ...deps(), recordAdminAction }
  await setReferralRate(rates, { userId: earner.id, rateBps: 4_000n, adminId: first.id })
  clock.advanceMs(1)
  await ensureMoneySetting(rates, { name: 'price', value: 100_000_000n })
  const priceBounds = { minimum: 1n, maximum: 10n ** 12n, maxStepBps: 2_000n }
  await setMoneySetting(
    { ...rates, priceBounds },
    { name: 'price', value: 200_000_000n, adminId: first.id },
  )
  clock.advanceMs(1)
  const claimId = await givenClaim(earner)
  const approve = (adminId: bigint) =>
    approveReferralClaim(
      {
        ...rates,
        ...{ secondApprovalAbove: 0n, payouts: 'automatic' as never },
        readPayoutWallet: async () => ({ usdt: 10n ** 21n, blockNumber: 1n }),
      },
      { claimId, adminId },
    )
  expect(await approve(first.id)).toBe(false)
  const waiting = (adminId: bigint) => waitingProposals(database.db, { adminId, now: clock.now() })
  expect(await waiting(second.id)).toMatchObject([
    {
      ...{ kind: 'referral_percentage', tron_address: earner.wallet.tronAddress, claim: null },
      ...{ old_value: '0', value: '40', is_mine: false },
      ...{ proposed_by: first.wallet.tronAddress, expires_at: '2026-02-02T10:00:00.000Z' },
    },
    {
      ...{ kind: 'price', old_value: '1.00000000', value: '2.00000000', tron_address: null },
    },
    {
      ...{ kind: 'referral_claim', tron_address: earner.wallet.tronAddress, value: '2.000000' },
      claim: { id: `${claimId}`, bonus_type: 'direct bonus' },
      ...{ proposed_by: first.wallet.tronAddress, expires_at: null, is_mine: false },
    },
  ])
  expect((await waiting(first.id)).map(({ is_mine }) => is_mine)).toEqual([true, true, true])

  expect(await approve(second.id)).toBe(true)
  expect(await waiting(second.id)).toHaveLength(2)
  clock.advanceMs(DAY_MS)
  expect(await waiting(second.id)).toEqual([])
})

async function givenClaim(earner: TestUser): Promise<bigint> {
  const payer = await given(earner.id)
  await payFee({ db: database.db, clock }, { payerId: payer.id, usdt: '20' })
  const { rows } = await sql<{ id: bigint }>`
    insert into referral_claim (user_id, kind, amount, from_row, through_row, usdt_address, requested_at)
      values (${earner.id}, 'direct', ${2n * 10n ** 18n}, 1, 1, ${earner.address}, ${clock.now()})
      returning id`.execute(database.db)
  const id = rows[0]?.id ?? 0n
  const facts = {
    id,
    user_id: earner.id,
    kind: 'direct',
    amount: amount('USDT', 2n * 10n ** 18n),
  } as const
  const made = claimTransfer(facts, { direction: 'made', at: clock.now() })
  await inTransaction(database.db, (tx) => postTransfers(tx, [made]))
  return id
}
