import fc from 'fast-check'
import { sql } from 'kysely'
import { beforeEach, expect, test } from 'vitest'
import { inBooking, inTransaction, isViolationOf, sqlState } from '../../platform/database/db.ts'
import { someoneWaits, useTestDatabase, wipe } from '../../testing/database.ts'
import {
  account,
  balanceOf,
  balances,
  type LedgerAsset,
  postLast,
  postTransfers,
  type Transfer,
  unusedRef,
} from './index.ts'

const database = useTestDatabase(32)
beforeEach(() => wipe(database.db))

const at = new Date('2026-01-01T00:00:00Z')
const PLAN = 'PLAN-360'

function funding(amount: bigint, ref = 'f1'): Transfer {
  const [debit, credit] = [account.chainPool(PLAN), account.free(PLAN)]
  return { debit, credit, asset: 'DCT', amount, kind: 'plan.funded', ref, at }
}

/** The totals of all accounts whose code starts with `prefix`, summed over shards. */
const accountTotals = (asset: LedgerAsset, prefix: string) =>
  database.db
    .selectFrom('ledger_account')
    .select((eb) => ['code', 'side', 'asset', eb.fn.sum<bigint>('debits').as('debits')])
    .select((eb) => eb.fn.sum<bigint>('credits').as('credits'))
    .where('asset', '=', asset)
    .where('code', '^@', prefix)
    .groupBy(['code', 'asset', 'side'])
    .execute()

function promise(amount: bigint, ref: string): Transfer {
  const [debit, credit] = [account.free(PLAN), account.promised(PLAN)]
  return { debit, credit, asset: 'DCT', amount, kind: 'stake.promised', ref, at }
}

const post = (...transfers: Transfer[]) =>
  inTransaction(database.db, (tx) => postTransfers(tx, transfers))

const freeNow = () => balanceOf(database.db, { asset: 'DCT', account: account.free(PLAN) })

async function expectBooksToBalance() {
  const sums = await sql<{ asset: string; difference: bigint; unexplained: bigint }>`
    select a.asset, sum(a.debits) - sum(a.credits) as difference,
      sum(abs(a.debits - coalesce(d.total, 0)) + abs(a.credits - coalesce(c.total, 0))) as unexplained
    from ledger_account a
      left join (select debit_id, sum(amount) as total from ledger_transfer group by 1) d on d.debit_id = a.id
      left join (select credit_id, sum(amount) as total from ledger_transfer group by 1) c on c.credit_id = a.id
    group by a.asset`.execute(database.db)
  for (const row of sums.rows) {
    expect(row).toEqual({ asset: row.asset, difference: 0n, unexplained: 0n })
  }
}

test('a transfer moves its amount from one account to the other', async () => {
  expect(await post(funding(1_000n), promise(300n, 's1'))).toBe(2)
  const accounts = [account.chainPool(PLAN), account.free(PLAN), account.promised(PLAN)]
  expect(await balances(database.db, { asset: 'DCT', accounts })).toEqual(
    new Map([
      [`chain_pool:${PLAN}`, 1_000n],
      [`free:${PLAN}`, 700n],
      [`promised:${PLAN}`, 300n],
    ]),
  )
  await expectBooksToBalance()
})

test('booking the same fact again changes nothing, alone and twice in one call', async () => {
  expect(await post(funding(1_000n), funding(1_000n))).toBe(1)
  expect(await post(funding(1_000n))).toBe(0)
  expect(await freeNow()).toBe(1_000n)
})

test('a fact that was taken back is booked again under the next number of its reference', async () => {
  const free = (kind = 'plan.funded') =>
    inTransaction(database.db, (tx) => unusedRef(tx, kind, 'f1'))
  expect(await free()).toBe('f1')
  await post(funding(5n))
  expect(await free()).toBe('f1:2')
  expect(await free('stake.promised')).toBe('f1')
  await post(funding(5n, 'f1:2'), funding(5n, 'f2'))
  expect(await free()).toBe('f1:3')
})

test('what a booking posts last is booked with it, fails it, and may be nothing', async () => {
  const last = (transfer: Transfer) => inBooking(database.db, (tx) => postLast(tx, [transfer]))
  await last(funding(5n))
  await last(funding(0n, 'zero'))
  expect(await freeNow()).toBe(5n)
  await expect(last(promise(6n, 's1'))).rejects.toSatisfy((error) => sqlState(error) === '23514')
  expect(await freeNow()).toBe(5n)
})

test.each([
  ['amount', (transfer: Transfer) => ({ ...transfer, amount: 999n })],
  ['account', (transfer: Transfer) => ({ ...transfer, credit: account.free('PLAN-720') })],
  ['asset', (transfer: Transfer) => ({ ...transfer, asset: 'USDT' as const })],
])('the same fact with a different %s is refused, and nothing is booked', async (_what, change) => {
  await post(funding(1_000n))
  await expect(post(promise(1n, 'other'), change(funding(1_000n)))).rejects.toSatisfy((error) =>
    isViolationOf(error, 'ledger_transfer_content'),
  )
  expect(await freeNow()).toBe(1_000n)
})

test('an account cannot be overdrawn, not even temporarily, and the whole call is rolled back', async () => {
  await post(funding(100n))
  await expect(post(promise(60n, 's1'), promise(41n, 's2'))).rejects.toSatisfy((error) =>
    isViolationOf(error, 'ledger_account_not_overdrawn'),
  )
  expect(await freeNow()).toBe(100n)
  expect(await post(promise(60n, 's1'), promise(40n, 's2'))).toBe(2)
})

test('an account that mirrors a balance on chain cannot fall below zero', async () => {
  const out: Transfer = {
    ...funding(1n, 'out'),
    debit: account.free(PLAN),
    credit: account.chainPool(PLAN),
  }
  await expect(post(out)).rejects.toSatisfy((error) =>
    isViolationOf(error, 'ledger_account_not_overdrawn'),
  )
})

test('a sharded account is one balance over many rows', async () => {
  const stakes = Array.from({ length: 64 }, (_, at) => promise(10n, `s${at}`))
  await post(funding(640n), ...stakes)
  const [totals] = await accountTotals('DCT', 'promised:')
  expect(totals).toMatchObject({
    code: `promised:${PLAN}`,
    side: 'credit',
    credits: 640n,
    debits: 0n,
  })
  const rows = await database.db
    .selectFrom('ledger_account')
    .select('shard')
    .where('code', '=', `promised:${PLAN}`)
    .execute()
  expect(rows.length).toBeGreaterThan(8)
})

test('zero is skipped, a negative amount is an invariant violation', async () => {
  expect(await post(funding(0n))).toBe(0)
  await expect(post(funding(-1n))).rejects.toThrow('a transfer of -1')
})

test.each([
  ['change a transfer', sql`update ledger_transfer set amount = 1`],
  ['delete a transfer', sql`delete from ledger_transfer`],
  ['empty the transfers', sql`truncate ledger_transfer`],
  ['delete an account', sql`delete from ledger_account`],
  ['change a balance', sql`update ledger_account set credits = credits + 1`],
  [
    'insert a transfer directly',
    sql`insert into ledger_transfer select 'x', 'x', debit_id, credit_id, asset, amount, at from ledger_transfer`,
  ],
])('the database refuses to %s', async (_what, statement) => {
  await post(funding(1_000n))
  // A worker of a cluster passes on the message, not the name of the constraint.
  const refusal = { code: '23514', message: expect.stringMatching(/append-only|only ledger_post/) }
  await expect(statement.execute(database.db)).rejects.toMatchObject(refusal)
  await expect(
    inTransaction(database.db, async (tx) => {
      await postTransfers(tx, [funding(5n, 'f2')])
      await statement.execute(tx)
    }),
  ).rejects.toMatchObject(refusal)
  expect(await freeNow()).toBe(1_000n)
})

test('transfers of many sizes keep their exact amounts, and the books balance', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.bigInt({ min: 1n, max: 10n ** 40n }), { minLength: 1, maxLength: 40 }),
      async (amounts) => {
        await wipe(database.db)
        const total = amounts.reduce((sum, amount) => sum + amount, 0n)
        await post(funding(total))
        await post(...amounts.map((amount, index) => promise(amount, `s${index}`)))
        expect(await freeNow()).toBe(0n)
        expect(
          await balanceOf(database.db, { asset: 'DCT', account: account.promised(PLAN) }),
        ).toBe(total)
        await expectBooksToBalance()
      },
    ),
    { numRuns: 20 },
  )
})

test('a booking looks up its accounts by an index, even with a statement that was prepared when there were few', async () => {
  await post(funding(1_000n))
  await sql`analyze ledger_account, ledger_transfer`.execute(database.db)
  const read = await inTransaction(database.db, async (tx) => {
    const wholeReads = async () => {
      const { rows } = await sql<{ count: bigint }>`
        select pg_stat_get_xact_numscans('ledger_account'::regclass) as count`.execute(tx)
      return rows[0]?.count
    }
    const before = await wholeReads()
    for (let round = 0; round < 10; round += 1) {
      await postTransfers(tx, [promise(1n, `a${round}`), promise(2n, `b${round}`)])
    }
    return { before, after: await wholeReads() }
  })
  expect(read.after).toBe(read.before)
})

test('16 connections moving value back and forth between the same accounts never deadlock', async () => {
  const places = ['A', 'B', 'C', 'D'].map((code) => account.free(code))
  const chain = account.chainPool('A')
  await post(
    ...places.map((credit, index) => ({
      ...funding(1_000_000n, `start${index}`),
      debit: chain,
      credit,
    })),
  )
  const moves = Array.from({ length: 16 }, (_, connection) =>
    Array.from({ length: 40 }, (_, round): Transfer[] => {
      const pick = (offset: number) => places[(connection * 7 + round * 3 + offset) % 4] ?? chain
      const move = (offset: number): Transfer => ({
        debit: pick(offset),
        credit: pick(offset + 1 + (round % 2)),
        asset: 'DCT',
        amount: 1n,
        kind: 'move',
        ref: `${connection}/${round}/${offset}`,
        at,
      })
      return [move(0), move(2), move(1)]
    }),
  )
  const failures: unknown[] = []
  const work = moves.map(async (list) => {
    for (const transfers of list) {
      // Not `inTransaction`, which would hide a deadlock by retrying.
      await database.db
        .transaction()
        .execute((tx) => postTransfers(tx, transfers))
        .catch((error: unknown) => failures.push(sqlState(error) ?? error))
    }
  })
  await Promise.all(work)
  expect(failures).toEqual([])
  await expectBooksToBalance()
})

test('16 connections booking the same fact concurrently book it once', async () => {
  await post(funding(1_000n))
  for (let round = 0; round < 20; round += 1) {
    const results = await Promise.all(
      Array.from({ length: 16 }, () => post(promise(10n, `same${round}`))),
    )
    expect(results.reduce((sum, written) => sum + written, 0)).toBe(1)
  }
  expect(await freeNow()).toBe(800n)
})

test('of 32 concurrent attempts to take the last unit, one succeeds', async () => {
  await post(funding(10n))
  const results = await Promise.allSettled(
    Array.from({ length: 32 }, (_, index) => post(promise(10n, `r${index}`))),
  )
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect(await freeNow()).toBe(0n)
  await expectBooksToBalance()
})

test('an account with both assets has a balance for each', async () => {
  const one = { debit: account.chainPool(PLAN), credit: account.owner, at }
  await post(
    { ...one, asset: 'DCT', amount: 5n, kind: 'both', ref: 'dct' },
    { ...one, asset: 'USDT', amount: 7n, kind: 'both', ref: 'usdt' },
  )
  const ownersNow = (asset: 'DCT' | 'USDT') =>
    balanceOf(database.db, { asset, account: account.owner })
  expect([await ownersNow('DCT'), await ownersNow('USDT')]).toEqual([5n, 7n])
  const [totals, ...others] = await accountTotals('USDT', 'owner')
  expect([totals, others]).toEqual([expect.objectContaining({ asset: 'USDT', credits: 7n }), []])
})

test('a booking locks its accounts in one order, whatever the order of its transfers', async () => {
  // The account created first has the lower id, so it must be locked first although the booking names it last.
  await post(funding(100n, 'a'))
  await post({ ...funding(100n, 'b'), credit: account.free('OTHER') })
  // Without `order by` the planner happens to choose the same order, but nothing guarantees that.
  const { rows } = await sql<{ source: string }>`
    select pg_get_functiondef('ledger_post'::regproc) as source`.execute(database.db)
  expect(rows[0]?.source).toMatch(/from ledger_account where .* order by id for no key update;/)
  const holder = await database.db.startTransaction().execute()
  const booking = await database.db.startTransaction().execute()
  try {
    const lock = (which: typeof holder, code: string, wait = sql``) =>
      sql`select from ledger_account where code = ${code} for no key update ${wait}`.execute(which)
    await lock(holder, `free:${PLAN}`)
    const waiting = postTransfers(booking, [
      {
        ...{ debit: account.free('OTHER'), credit: account.free(PLAN) },
        ...{ asset: 'DCT', amount: 1n, kind: 'ordered', ref: '1', at },
      },
    ])
    await someoneWaits(database.db)
    // The second account must not be locked yet: locking it first could deadlock with a booking in the other direction.
    await lock(holder, 'free:OTHER', sql`nowait`)
    await holder.commit().execute()
    expect(await waiting).toBe(1)
  } finally {
    if (!holder.isCommitted) await holder.rollback().execute()
    await booking.rollback().execute()
  }
})
