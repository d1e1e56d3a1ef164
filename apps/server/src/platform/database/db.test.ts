import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { useTestDatabase } from '../../testing/database.ts'
import {
  type Db,
  inBooking,
  inTransaction,
  isOutage,
  isViolationOf,
  openDatabase,
  sharedReads,
  sqlState,
  type Tx,
  together,
  unread,
} from './db.ts'

const database = useTestDatabase()
beforeAll(async () => {
  await sql`create table counter (id int primary key, value int not null,
    constraint never_negative check (value >= 0))`.execute(database.db)
})
beforeEach(async () => {
  await sql`truncate counter`.execute(database.db)
  await sql`insert into counter values (1, 0), (2, 0)`.execute(database.db)
})

test.each([
  ['for one caller', (db: Db) => db],
  ['shared by several', sharedReads],
])('a connection %s has the session settings', async (_, from) => {
  const db = openDatabase({ url: database.url, maxConnections: 1, statementTimeoutMs: 1_234 })
  try {
    const { rows } = await sql<{ name: string; setting: string }>`
      select name, current_setting(name) as setting from pg_settings`.execute(from(db))
    expect(Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))).toMatchObject({
      synchronous_commit: 'on',
      default_transaction_isolation: 'read committed',
      statement_timeout: '1234ms',
      idle_in_transaction_session_timeout: '1min',
      jit: 'off',
    })
  } finally {
    await db.destroy()
  }
})

test('a connection begins with nothing that a connection pooler would refuse', async () => {
  const begun = Promise.withResolvers<Buffer>()
  const pooler = createServer((socket) =>
    socket.once('data', (message) => {
      begun.resolve(message)
      socket.destroy()
    }),
  ).listen(0, '127.0.0.1')
  await once(pooler, 'listening')
  const { port } = pooler.address() as AddressInfo
  const url = `postgres://somebody@127.0.0.1:${port}/books`
  const db = openDatabase({ url, maxConnections: 1, statementTimeoutMs: 1_234 })
  await expect(sql`select 1`.execute(db)).rejects.toThrow()
  await db.destroy()
  pooler.close()
  // Length and protocol version, then names and values, each ended by a zero byte.
  const texts = (await begun.promise).subarray(8).toString().split('\0')
  const names = texts.filter((_, index) => index % 2 === 0 && texts[index] !== '')
  expect(names.toSorted()).toEqual(['application_name', 'client_encoding', 'database', 'user'])
})

test('whole numbers of any size are read as bigint, days as text, instants as dates', async () => {
  const { rows } = await sql`select
    9223372036854775807::int8 as id, (10::numeric ^ 77)::numeric(78,0) as amount, count(*) as rows,
    '2026-01-31'::date as day, '2026-01-31 00:00:00+07'::timestamptz as at from counter`.execute(
    database.db,
  )
  expect(rows).toEqual([
    {
      id: 9_223_372_036_854_775_807n,
      amount: 10n ** 77n,
      rows: 2n,
      day: '2026-01-31',
      at: new Date('2026-01-30T17:00:00.000Z'),
    },
  ])
})

test.each(['UTC', 'America/New_York', 'Asia/Jakarta', 'Pacific/Apia'])(
  '[T037] a process in time zone %s reads and writes the same days and instants',
  (TZ) => {
    const module = new URL('./db.ts', import.meta.url).href
    const kysely = import.meta.resolve('kysely')
    const script = `
      const { openDatabase } = await import(${JSON.stringify(module)})
      const { sql } = await import(${JSON.stringify(kysely)})
      const db = openDatabase({ url: ${JSON.stringify(database.url)}, maxConnections: 1 })
      const at = new Date('2026-03-29T00:30:00.000Z')
      const { rows } = await sql\`select \${at}::timestamptz as at, \${'2026-03-29'}::date as day,
        extract(epoch from \${at}::timestamptz)::int8 as seconds\`.execute(db)
      await db.destroy()
      process.stdout.write(JSON.stringify(rows, (_, value) => typeof value === 'bigint' ? \`\${value}\` : value))`
    const output = execFileSync(process.execPath, ['--input-type=module', '--eval', script], {
      env: { TZ },
      encoding: 'utf8',
    })
    expect(JSON.parse(output)).toEqual([
      { at: '2026-03-29T00:30:00.000Z', day: '2026-03-29', seconds: '1774744200' },
    ])
  },
)

test('[T093] deadlocked transactions are retried as a whole until both succeed', async () => {
  let tries = 0
  let waiting: (() => void)[] = []
  /** Lets both take their first lock before either requests its second. */
  const meet = async () => {
    if (tries > 2) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length < 2) return
      for (const go of waiting) go()
      waiting = []
    })
  }
  const survivor = Promise.withResolvers<void>()
  const addOne = async (first: number, second: number) => {
    await inTransaction(database.db, async (tx) => {
      tries += 1
      // A retry that is quicker than the survivor would cause a second deadlock.
      if (tries > 2) await survivor.promise
      await sql`update counter set value = value + 1 where id = ${first}`.execute(tx)
      await meet()
      await sql`update counter set value = value + 1 where id = ${second}`.execute(tx)
    })
    survivor.resolve()
  }
  await Promise.all([addOne(1, 2), addOne(2, 1)])
  expect(tries).toBe(3)
  const { rows } = await sql`select id, value from counter order by id`.execute(database.db)
  expect(rows).toEqual([
    { id: 1, value: 2 },
    { id: 2, value: 2 },
  ])
})

test.each(['40001', '40P01'])(
  '[T093] a transaction aborted by the database (%s) is retried from its start, at most five times',
  async (state) => {
    const run = async (failures: number) => {
      let tries = 0
      const outcome = inTransaction(database.db, async (tx) => {
        tries += 1
        await sql`update counter set value = value + 1 where id = 3`.execute(tx)
        if (tries <= failures) {
          await sql`do ${sql.raw(`$$ begin raise sqlstate '${state}'; end $$`)}`.execute(tx)
        }
      })
      const error = await outcome.catch((cause: unknown) => cause)
      return { tries, state: error === undefined ? 'done' : sqlState(error) }
    }
    await sql`insert into counter values (3, 0) on conflict (id) do update set value = 0`.execute(
      database.db,
    )
    const value = async () =>
      (await sql<{ value: number }>`select value from counter where id = 3`.execute(database.db))
        .rows[0]?.value
    expect(await run(4)).toEqual({ tries: 5, state: 'done' })
    expect(await value()).toBe(1)
    expect(await run(5)).toEqual({ tries: 5, state })
    expect(await value()).toBe(1)
  },
)

test('a constraint violation names its constraint and is not retried', async () => {
  let tries = 0
  const refused = inTransaction(database.db, async (tx) => {
    tries += 1
    await sql`update counter set value = -1 where id = 1`.execute(tx)
  })
  const error = await refused.catch((cause: unknown) => cause)
  expect(tries).toBe(1)
  expect(sqlState(error)).toBe('23514')
  expect(isViolationOf(error, 'never_negative')).toBe(true)
  expect(isViolationOf(error, 'another')).toBe(false)
  expect(isViolationOf(new Error('no database error'), 'never_negative')).toBe(false)
})

test('[T092] a pool whose connections were cut opens new ones for the next query', async () => {
  const db = openDatabase({ url: database.url, maxConnections: 2 })
  try {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    await sql`select pg_terminate_backend(${rows[0]?.pid}::integer, 5000)`.execute(database.db)
    await expect
      .poll(() => sql`select 1 as one`.execute(db).then((found) => found.rows, sqlState))
      .toEqual([{ one: 1 }])
  } finally {
    await db.destroy()
  }
})

test('a connection prepares the statements of bookings and no others', async () => {
  const db = openDatabase({ url: database.url, maxConnections: 1 })
  const read = (id: number) => sql`select value from counter where id = ${id}`
  const kept = sql<{ statement: string }>`select statement from pg_prepared_statements`
  try {
    await inTransaction(db, (tx) => read(1).execute(tx))
    expect((await kept.execute(db)).rows).toEqual([])
    for (const id of [1, 2]) await inBooking(db, (tx) => read(id).execute(tx))
    expect((await kept.execute(db)).rows).toEqual([
      { statement: 'select value from counter where id = $1' },
    ])
    await expect(
      inBooking(db, (tx) => sql`update counter set value = ${-1}`.execute(tx)),
    ).rejects.toSatisfy((error) => isViolationOf(error, 'never_negative'))
  } finally {
    await db.destroy()
  }
})

test('a booking continues after a column is added to its table', async () => {
  const read = () =>
    inBooking(database.db, (tx) => sql`select * from counter where id = ${1}`.execute(tx))
  expect((await read()).rows).toEqual([{ id: 1, value: 0 }])
  await sql`alter table counter add column more int`.execute(database.db)
  expect((await read()).rows).toEqual([{ id: 1, value: 0, more: null }])
  await sql`alter table counter drop column more`.execute(database.db)
})

const add = (tx: Tx, id: number, by: number) =>
  sql<{ value: number }>`update counter set value = value + ${by} where id = ${id} returning value`
    .execute(tx)
    .then(({ rows }) => rows[0]?.value)

const values = async () =>
  (
    await sql<{ value: number }>`select value from counter order by id`.execute(database.db)
  ).rows.map(({ value }) => value)

describe.each([
  ['a booking', inBooking],
  ['a transaction', inTransaction],
])('statements that %s issues together', (_name, run) => {
  test('run in that order, each seeing the effects of those before it', async () => {
    const seen = await run(database.db, (tx) =>
      together(add(tx, 1, 1), add(tx, 1, 10), add(tx, 1, 100)),
    )
    expect(seen).toEqual([1, 11, 111])
    expect(await values()).toEqual([111, 0])
  })

  test('take effect together or not at all, and the error is that of the statement that failed', async () => {
    const error = await run(database.db, (tx) =>
      together(
        add(tx, 2, 1).then(() => add(tx, 2, 1)),
        add(tx, 1, -1),
        add(tx, 2, 1),
      ),
    ).catch((cause: unknown) => cause)
    expect(isViolationOf(error, 'never_negative')).toBe(true)
    expect(await values()).toEqual([0, 0])
  })
})

describe.each([
  ['a booking', inBooking],
  ['a transaction', inTransaction],
])('a statement whose result %s does not read', (_name, run) => {
  const addUnread = (tx: Tx, id: number, by: number) =>
    unread(tx, sql`update counter set value = value + ${by} where id = ${id}`)

  test('runs in the order in which it was issued', async () => {
    const seen = await run(database.db, async (tx) => {
      await addUnread(tx, 1, 1)
      const between = await add(tx, 1, 10)
      await addUnread(tx, 1, 100)
      return between
    })
    expect(seen).toBe(11)
    expect(await values()).toEqual([111, 0])
  })

  test.each([
    ['last', async () => undefined],
    ['before one that is read', (tx: Tx) => add(tx, 2, 1)],
    ['before work that takes a while', () => setTimeout(20)],
  ])('rolls everything back when it fails %s, and the error is its own', async (_, then) => {
    const error = await run(database.db, async (tx) => {
      await add(tx, 2, 1)
      await addUnread(tx, 1, -1)
      await then(tx)
    }).catch((cause: unknown) => cause)
    expect(isViolationOf(error, 'never_negative')).toBe(true)
    expect(await values()).toEqual([0, 0])
  })

  test('causes a repeat of the whole transaction when it fails with a retryable error', async () => {
    let tries = 0
    await run(database.db, async (tx) => {
      tries += 1
      await addUnread(tx, 1, 1)
      if (tries === 1) await unread(tx, sql.raw(`do $$ begin raise sqlstate '40P01'; end $$`))
      await add(tx, 2, 1)
    })
    expect(tries).toBe(2)
    expect(await values()).toEqual([1, 1])
  })
})

test('a failure that is known before the commit is not reported as an unknown outcome', async () => {
  const stopped = inBooking(database.db, async (tx) => {
    await unread(tx, sql.raw(`do $$ begin raise sqlstate '57014'; end $$`))
  })
  await expect(stopped).rejects.toSatisfy((error) => sqlState(error) === '57014')
})

test('a statement that is issued after its booking has ended is not sent', async () => {
  const db = openDatabase({ url: database.url, maxConnections: 1 })
  let late: Tx | undefined
  try {
    await inBooking(db, async (tx) => {
      late = tx
    })
    await expect(add(late as Tx, 1, 1)).rejects.toThrow('after the end of its transaction')
    expect(await values()).toEqual([0, 0])
  } finally {
    await db.destroy()
  }
})

test('a booking that swallows a failed statement is not reported as committed', async () => {
  const booked = inBooking(database.db, async (tx) => {
    await add(tx, 1, 1)
    await add(tx, 1, -5).catch(() => 'swallowed')
  })
  await expect(booked).rejects.toThrow('failed statement')
  expect(await values()).toEqual([0, 0])
})

const withFacts = (facts: object) => Object.assign(new Error('No.'), facts)

test.each([
  ['the host is out of reach', withFacts({ code: 'EHOSTUNREACH' })],
  ['its name cannot be found now', withFacts({ code: 'EAI_AGAIN' })],
  ['the connection has been closed', withFacts({ code: 'EPIPE' })],
  ['the socket is gone', withFacts({ code: 'ENOENT', syscall: 'connect' })],
  ['the disk is full', withFacts({ code: '53100' })],
  ['the disk fails', withFacts({ code: '58030' })],
  ['a former primary takes no writes', withFacts({ code: '25006' })],
])('it is an outage when %s', (_what, error) => expect(isOutage(error)).toBe(true))

test.each([['23505'], ['42P01'], ['ENOENT'], ['22021']])('%s is no outage', (code) => {
  expect(isOutage(withFacts({ code }))).toBe(false)
})
