import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import {
  type ClaimsWorld,
  claim,
  claimRows,
  createClaimsWorld,
  expectBooksToBalance,
  get,
  givenHolder,
  givenMarket,
  payOut,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import { databaseState } from '../../testing/database-state.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { passDays } from '../../testing/stakes.ts'

const clock = new ManualClock('2026-03-01T03:00:00Z')
let database: TestDatabase
let world: ClaimsWorld

beforeEach(async () => {
  database = await createTestDatabase()
  world = await createClaimsWorld(database.db, clock)
  await givenMarket(world)
  return async () => {
    await world.app.close()
    await database.drop()
  }
})

/** Takes a claim from its request to its final payout. */
async function claimAndPay(holder: Awaited<ReturnType<typeof givenHolder>>): Promise<void> {
  expect((await claim(world, holder, 'HALF')).status).toBe(200)
  const open = (await claimRows(world)).at(-1)
  await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n }))
  await payOut(world, `claim:${open?.id}:now`)
  await payOut(world, `claim:${open?.id}:later`)
  const { body } = await get(world, holder, '/user/pending-claim-fees')
  expect(body.pending_fees[0]).toMatchObject({ is_paid: true, status: 'Done' })
  await expectBooksToBalance(world)
}

test('[T094] on a full disk a write gets 503 and stores nothing, reads still work, and writes work again once there is space', async () => {
  const holder = await givenHolder(world)
  const before = await databaseState(world.db)
  // The error that PostgreSQL raises when a table cannot grow, here at the last statement of a claim.
  await sql`
    create function no_space() returns trigger language plpgsql as $$
    begin raise exception 'could not extend file' using errcode = '53100'; end $$`.execute(world.db)
  await sql`create trigger no_space before insert on payout execute function no_space()`.execute(
    world.db,
  )
  expect(await claim(world, holder, 'HALF')).toMatchObject({
    status: 503,
    body: { code: 'UNAVAILABLE' },
  })
  expect(await databaseState(world.db)).toEqual(before)
  const list = await get(world, holder, '/user/claimable-reward')
  expect(list).toMatchObject({ status: 200, body: { claimable_rewards: [{ can_claim: true }] } })
  await sql`drop trigger no_space on payout`.execute(world.db)
  await claimAndPay(holder)
})

test('[T095] the running version keeps working while the next one adds columns and tables', async () => {
  const holder = await givenHolder(world)
  // By now the connections have prepared their statements, including one that selects whole rows of claims.
  await claimAndPay(holder)
  await passDays(world.stakes, 10)
  expect((await claim(world, holder, 'HALF')).status).toBe(200)
  const refused = await claim(world, holder, 'HALF')
  expect(refused).toMatchObject({ status: 409, body: { code: 'CLAIM_FEE_OPEN' } })
  const open = (await claimRows(world)).at(-1)

  await sql`
    do $$ declare name text; begin
      for name in select tablename from pg_tables t
        where schemaname = 'public' and not exists (
          select from pg_inherits i where i.inhrelid = format('%I', t.tablename)::regclass)
      loop
        execute format('alter table %I add column of_the_next_version text not null default %L', name, 'new');
      end loop;
    end $$`.execute(world.db)
  await sql`create table of_the_next_version (id bigint primary key)`.execute(world.db)
  await sql`insert into migration (name) values ('9999-next.sql')`.execute(world.db)

  // PostgreSQL now rejects that statement, because its result has additional columns.
  expect(await claim(world, holder, 'HALF')).toEqual(refused)
  await receive(world, transferEvent(world, { value: open?.exact_amount ?? 0n }))
  await payOut(world, `claim:${open?.id}:now`)
  await payOut(world, `claim:${open?.id}:later`)
  await passDays(world.stakes, 10)
  await claimAndPay(holder)
})
