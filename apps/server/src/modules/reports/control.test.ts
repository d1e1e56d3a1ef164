import { createHash } from 'node:crypto'
import type { CaseReply, DailyCloseReply, SupportCase } from '@dct/api-contract/reports'
import { tokenAbi } from '@dct/contract-abi'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseAmount } from '@dct/money'
import { sql } from 'kysely'
import { encodeFunctionData } from 'viem'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, businessDayOf, realClock } from '../../platform/clock.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { everything } from '../../testing/all-tables.ts'
import { expectPages } from '../../testing/expect-pages.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { call, devnet, givenPayer, givenRealHolder } from '../../testing/real-claims.ts'
import { callBsc } from '../../testing/sender-chains.ts'
import { bearer, type TestUser } from '../../testing/users.ts'
import { endCaseLinks } from './case-links.ts'

const host = useChainHost()
let real: RealApp
let admin: TestUser
let holder: TestUser
let claimDay: string
let code: string
let feeTx: string

/** A HALF claim whose fee was paid and whose halves were sent on the same day, seen a day later. */
beforeAll(async () => {
  real = await startRealApp(host())
  await devnet(real, 'settle')
  admin = await real.givenUser({ role: 'admin' })
  holder = await givenRealHolder(real, host())
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 10 })
  const payload = { earning_plan_code: 'PLAN-360', claim_type: 'HALF' }
  expect((await call(real, holder, { method: 'POST', url: '/user/claim', payload })).status).toBe(
    200,
  )
  claimDay = businessDayOf(real.context.clock.now())
  const { body } = await call(real, holder, { url: '/user/pending-claim-fees' })
  const [fee] = body.pending_fees
  code = fee.code_claim
  const payer = await givenPayer(host())
  const { usdt, receiver } = real.context.chains.bsc
  const args = [receiver, parseAmount('USDT', fee.unpaid_fee_usdt)] as const
  const data = encodeFunctionData({ abi: tokenAbi, functionName: 'transfer', args })
  feeTx = await callBsc(host(), payer.privateKey, { to: usdt, data })
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 1 })
}, 120_000)
afterAll(() => real.stop())

const asAdmin = (method: 'GET' | 'POST' | 'DELETE', url: string, payload?: object) =>
  real.app.inject({
    method,
    url: `/api/admin${url}`,
    headers: bearer(admin),
    ...(payload === undefined ? {} : { payload }),
  })

const flowOf = ({ statement }: DailyCloseReply, flow: string) =>
  statement.flows.find((one) => one.flow === flow)

test('a day’s statement compares the movements on chain with their bookings', async () => {
  const reply = await asAdmin('GET', `/daily-closes/${claimDay}`)
  expect(reply.statusCode).toBe(200)
  const day: DailyCloseReply = reply.json()
  expect(day).toMatchObject({ can_close: true, closed: null, statement: { differences: 0 } })
  // 50 DCT at 72 % yield 0.1 a day, for ten days.
  expect(flowOf(day, 'reward_paid')).toEqual({
    ...{ flow: 'reward_paid', asset: 'DCT', count: 2 },
    ...{ on_chain: '1.000000', booked: '1.000000', difference: '0.000000' },
  })
  expect(flowOf(day, 'fee_receiver_in')).toMatchObject({ count: 1, difference: '0.000000' })
  const figure = (name: string) => day.statement.figures.find((one) => one.figure === name)
  expect(figure('rewards_credited')).toMatchObject({ count: 1, amount: '0.100000' })
  expect(figure('claims_made')).toMatchObject({ count: 1, amount: '1.000000' })
  expect(figure('fees_paid')?.amount).toBe(flowOf(day, 'fee_receiver_in')?.on_chain)
})

test('the day of the lock has the capital and the whole promised reward', async () => {
  const lockDay = addDays(claimDay as never, -10)
  const day: DailyCloseReply = (await asAdmin('GET', `/daily-closes/${lockDay}`)).json()
  expect(day.statement.differences).toBe(0)
  expect(flowOf(day, 'capital_locked')).toMatchObject({ count: 1, booked: '50.000000' })
  expect(flowOf(day, 'reward_promised')).toMatchObject({ count: 1, booked: '36.000000' })
  expect(flowOf(day, 'plan_funded')?.on_chain).toBe(flowOf(day, 'plan_funded')?.booked)
})

test('a day that is not over, or not fully read, cannot be closed', async () => {
  const today = businessDayOf(real.context.clock.now())
  const refused = await asAdmin('POST', `/daily-closes/${today}`)
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'DAY_NOT_OVER'])
  const { db } = real.context
  const before = await everything(db)
    .selectFrom('chain_cursor')
    .select(['chain', 'block_time'])
    .execute()
  const bsc = before.find(({ chain }) => chain === 'BSC')
  await everything(db)
    .updateTable('chain_cursor')
    .set({ block_time: new Date(0) })
    .where('chain', '=', 'BSC')
    .execute()
  const unread = await asAdmin('POST', `/daily-closes/${claimDay}`)
  expect([unread.statusCode, unread.json().code]).toEqual([409, 'DAY_NOT_READ'])
  await everything(db)
    .updateTable('chain_cursor')
    .set({ block_time: bsc?.block_time ?? new Date(0) })
    .where('chain', '=', 'BSC')
    .execute()
  for (const day of ['2026-02-30', 'yesterday', '2026-1-1']) {
    expect((await asAdmin('GET', `/daily-closes/${day}`)).statusCode).toBe(400)
  }
})

test('a day before the first event on chain cannot be closed', async () => {
  const day = '2019-12-31'
  expect((await asAdmin('GET', `/daily-closes/${day}`)).json()).toMatchObject({ can_close: false })
  const refused = await asAdmin('POST', `/daily-closes/${day}`)
  expect([refused.statusCode, refused.json().code]).toEqual([422, 'DAY_BEFORE_START'])
})

test('a closed day is a file with its hash, and never changes', async () => {
  const { db } = real.context
  expect((await asAdmin('GET', `/daily-closes/${claimDay}/file`)).json().code).toBe(
    'DAY_NOT_CLOSED',
  )
  const both = await Promise.all([1, 2].map(() => asAdmin('POST', `/daily-closes/${claimDay}`)))
  expect(both.map(({ statusCode }) => statusCode).toSorted()).toEqual([200, 409])
  const closed: DailyCloseReply = (await asAdmin('GET', `/daily-closes/${claimDay}`)).json()
  const file = await asAdmin('GET', `/daily-closes/${claimDay}/file`)
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(closed.closed?.sha256)
  expect(JSON.parse(file.body)).toEqual(closed.statement)
  expect(file.headers['content-disposition']).toContain(`daily-close-${claimDay}.json`)
  for (const change of [
    sql`update daily_close set differences = 1`,
    sql`delete from daily_close`,
    sql`truncate daily_close`,
  ]) {
    await expect(change.execute(db)).rejects.toMatchObject({ code: '23514' })
  }
  await expect(
    sql`insert into daily_close values ('2020-01-01', now(), ${admin.id}, 0, 'x', sha256('y'))`.execute(
      db,
    ),
  ).rejects.toMatchObject({ constraint: 'daily_close_hash' })
  const list = (await asAdmin('GET', '/daily-closes')).json()
  expect(list.closes).toMatchObject([{ day: claimDay, sha256: closed.closed?.sha256 }])
  await asAdmin('POST', `/daily-closes/${addDays(claimDay as never, -10)}`)
  const read = async (query: string) => (await asAdmin('GET', `/daily-closes?${query}`)).json()
  await expectPages(read, 'closes')
})

test('a movement missing from the books is a difference of its day', async () => {
  const { db } = real.context
  const day = addDays(claimDay as never, -1)
  await sql`
    insert into chain_event
      select chain, sha256(tx_hash), log_index, block_number, block_hash,
        block_time - interval '1 day', address, name, args
      from chain_event where name = 'RewardPaid' order by block_number limit 1`.execute(db)
  const spoiled: DailyCloseReply = (await asAdmin('GET', `/daily-closes/${day}`)).json()
  expect(spoiled.statement.differences).toBe(1)
  expect(flowOf(spoiled, 'reward_paid')).toMatchObject({
    ...{ on_chain: '0.500000', booked: '0.000000', difference: '-0.500000' },
  })
})

test('a case contains everything about a claim, found by its code, its id or the hash of its payment', async () => {
  const reply = await asAdmin('GET', `/cases/${code.toLowerCase()}`)
  expect(reply.statusCode).toBe(200)
  const found: CaseReply = reply.json()
  expect((await asAdmin('GET', `/cases/${feeTx}`)).json()).toEqual(found)
  const { rows } = await sql<{ id: bigint }>`
    select id from claim where code_claim = ${code}`.execute(real.context.db)
  const id = rows[0]?.id
  expect((await asAdmin('GET', `/cases/${id}`)).json()).toEqual(found)
  expect((await asAdmin('GET', `/cases/${id}0`)).statusCode).toBe(404)
  expect(found.case).toMatchObject({
    ...{ code_claim: code, state: 'paid', claim_type: 'HALF', claimed_amount: '1.000000' },
    ...{
      now_amount: '0.500000',
      later_amount: '0.500000',
      tron_address: holder.wallet.tronAddress,
    },
  })
  expect(found.case.payments).toMatchObject([{ tx_hash: feeTx, is_fee: true, state: 'settled' }])
  expect(found.case.payouts.map(({ part, state }) => [part, state])).toEqual([
    ['now', 'final'],
    ['later', 'final'],
  ])
  expect(found.case.events.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Staked', 'RewardPaid', 'Transfer']),
  )
  const kinds = found.entries.map(({ kind }) => kind)
  expect(kinds.toSorted()).toEqual([
    ...['claim.half_at_once', 'claim.rest_due', 'claim.waits_for_fee', 'fee.energy_paid'],
    ...['fee.paid', 'payout.paid', 'payout.paid'],
  ])
  for (const name of ['CL-FFFF', 'nothing', '0'.repeat(64)]) {
    expect((await asAdmin('GET', `/cases/${name}`)).json().code).toBe('CASE_NOT_FOUND')
  }
})

test('notes are stored with their author, and never change', async () => {
  expect((await asAdmin('POST', `/cases/${code}/notes`, { text: '   ' })).statusCode).toBe(400)
  const text = 'Asked the holder <b>twice</b>.'
  expect((await asAdmin('POST', `/cases/${code}/notes`, { text })).statusCode).toBe(200)
  const { notes }: CaseReply = (await asAdmin('GET', `/cases/${code}`)).json()
  expect(notes).toMatchObject([{ text, by: admin.wallet.tronAddress }])
  await expect(
    sql`update case_note set text = 'other'`.execute(real.context.db),
  ).rejects.toMatchObject({ code: '23514' })
})

test('a link shows support the case without names until it expires or is revoked', async () => {
  const { db } = real.context
  const made = await asAdmin('POST', `/cases/${code}/links`, { hours: 2 })
  expect(made.statusCode).toBe(200)
  const { token, expires_at: expiresAt } = made.json()
  const follow = (name: string) => real.app.inject(`/api/public/cases/${name}`)
  const shown = await follow(token)
  expect(shown.statusCode).toBe(200)
  const found: SupportCase = shown.json()
  expect(found.code_claim).toBe(code)
  const { tronAddress } = holder.wallet
  expect(found.tron_address).toBe(`${tronAddress.slice(0, 5)}...${tronAddress.slice(-5)}`)
  expect(shown.body).not.toContain(tronAddress)
  expect(shown.body).not.toContain('holder@example.com')
  expect(shown.body).not.toContain('Asked the holder')
  expect(shown.headers['cache-control']).toBe('no-store')

  const stored = await everything(db)
    .selectFrom('case_link')
    .select(['token_hash', 'expires_at'])
    .execute()
  expect(stored.map(({ token_hash }) => token_hash.toString('utf8'))).not.toContain(token)
  expect(stored[0]?.expires_at.toISOString()).toBe(expiresAt)
  for (const other of ['nonsense', token.slice(1), `${token}x`]) {
    expect((await follow(other)).json().code).toBe('CASE_LINK_OVER')
  }

  const { links }: CaseReply = (await asAdmin('GET', `/cases/${code}`)).json()
  expect(links).toMatchObject([{ is_open: true }])
  const [link] = links
  expect((await asAdmin('DELETE', `/cases/${code}/links/${link?.id}`)).statusCode).toBe(200)
  expect((await follow(token)).json().code).toBe('CASE_LINK_OVER')
  expect((await asAdmin('DELETE', `/cases/${code}/links/${link?.id}`)).statusCode).toBe(404)

  const { token: late } = (await asAdmin('POST', `/cases/${code}/links`, { hours: 1 })).json()
  expect((await follow(late)).statusCode).toBe(200)
  await sql`update case_link set created_at = created_at - interval '2 hours',
    expires_at = expires_at - interval '2 hours' where revoked_at is null`.execute(db)
  expect((await follow(late)).json().code).toBe('CASE_LINK_OVER')

  const { token: last } = (await asAdmin('POST', `/cases/${code}/links`, { hours: 1 })).json()
  expect(await inTransaction(db, (tx) => endCaseLinks(tx, realClock.now()))).toBe(1)
  expect((await follow(last)).json().code).toBe('CASE_LINK_OVER')
})

test('each action is logged', async () => {
  const { entries } = (await asAdmin('GET', '/log?limit=100')).json()
  const acts = new Set(entries.map(({ action }: { action: string }) => action))
  for (const act of ['day.close', 'case.note', 'case.link', 'case.link_revoke']) {
    expect([...acts]).toContain(act)
  }
})
