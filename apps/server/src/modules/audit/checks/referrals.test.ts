import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inTransaction } from '../../../platform/database/db.ts'
import { spoil, useTestDatabase, wipe } from '../../../testing/database.ts'
import { dct } from '../../../testing/plans.ts'
import { createReferralApp, payClaim } from '../../../testing/referral-app.ts'
import { payFee } from '../../../testing/referrals.ts'
import { givenFundedPlan, stakeDeps, stakeEvents } from '../../../testing/stakes.ts'
import { useWorld } from '../../../testing/use-world.ts'
import type { TestUser } from '../../../testing/users.ts'
import { bookStakingEvent } from '../../earnings/index.ts'
import { bookPoolEvent } from '../../plans/index.ts'
import { recordStake } from '../../referrals/index.ts'
import { referralChecks } from './referrals.ts'

const database = useTestDatabase()
const world = useWorld(() => createReferralApp(database.db))

/** Creates claims in every state, and stakes of two holders. */
beforeEach(async () => {
  await wipe(database.db)
  const admin = await world.given({ role: 'admin' })
  const holders: TestUser[] = []
  for (const step of ['request', 'approve', 'pay', 'decline', 'return'] as const) {
    const holder = await world.given()
    const payer = await world.given({ referrerId: holder.id })
    holders.push(holder)
    await payFee(world.people, { payerId: payer.id, usdt: '30' })
    const { id } = (await world.claim(holder)).body
    const reason = 'Not this one'
    if (step === 'decline') await world.decline(admin, { id, reason })
    if (step === 'request' || step === 'decline') continue
    await world.approve(admin, id)
    if (step === 'pay') await payClaim(world.people, { id, blockNumber: 101n })
    if (step === 'return') await world.giveBack(admin, { id, reason })
  }
  const deps = stakeDeps(world.people)
  const plan = await givenFundedPlan(world.people)
  const startedAt = world.clock.now()
  for (const { address } of holders.slice(0, 2)) {
    const events = stakeEvents({ plan, staker: address, amount: dct('25'), startedAt })
    await inTransaction(database.db, async (tx) => {
      for (const event of events) {
        await bookPoolEvent(tx, event)
        await bookStakingEvent(deps, tx, event)
        await recordStake(tx, event)
      }
    })
  }
})

async function failing(isFull = true): Promise<string[]> {
  const failed: string[] = []
  for (const check of referralChecks) {
    const { differences } = await check.run(database.db, { isFull })
    if (differences.length > 0) failed.push(check.name)
  }
  return failed
}

test('consistent books pass, and each check compares something', async () => {
  expect(await failing()).toEqual([])
  expect(await failing(false)).toEqual([])
  for (const check of referralChecks) {
    const { compared } = await check.run(database.db, { isFull: true })
    expect([check.name, compared > 0]).toEqual([check.name, true])
  }
})

const COMMITTED = 'approved referral claims are committed'
const TURNOVER = 'turnover counts every stake exactly'
test.each([
  [
    'an excessive commitment',
    COMMITTED,
    sql`update referral_treasury set committed = committed + 1`,
  ],
  ['a missing commitment', COMMITTED, sql`delete from referral_treasury`],
  [
    'an approved claim with a higher amount',
    COMMITTED,
    sql`update referral_claim set amount = amount + 1, total = total + 1 where state = 'approved'`,
  ],
  [
    'a stake counted with a higher amount',
    TURNOVER,
    sql`update referral_stake set amount = amount + 1 where stake_id = (select min(stake_id) from earning)`,
  ],
  [
    'an uncounted stake',
    TURNOVER,
    sql`delete from referral_stake where stake_id = (select min(stake_id) from earning)`,
  ],
  [
    'a recorded stake that does not exist',
    TURNOVER,
    sql`insert into referral_stake (stake_id, staker, amount) values (999999, ${Buffer.alloc(20)}, 5)`,
  ],
] as const)('%s is found: %s', async (_what, check, statement) => {
  await spoil(database.db, statement)
  expect(await failing()).toContain(check)
  expect(await failing(false)).toContain(check)
})

test('the nightly audit finds a stake counted for the wrong user, and two errors that cancel out', async () => {
  await spoil(
    database.db,
    sql`update referral_stake set staker = ${Buffer.alloc(20, 9)}
    where stake_id = (select min(stake_id) from earning)`,
  )
  expect(await failing(false)).toEqual([])
  expect(await failing()).toEqual([TURNOVER])
})
