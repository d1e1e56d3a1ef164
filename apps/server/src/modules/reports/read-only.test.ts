import type { Bps } from '@dct/money'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addDays, businessDayOf, realClock, startOfBusinessDay } from '../../platform/clock.ts'
import { type Db, openDatabase, sqlState } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { givenUser } from '../../testing/users.ts'
import { findCaseClaim } from '../claims/index.ts'
import { bookedReserves } from './booked-reserves.queries.ts'
import { entriesOf, linksOf, notesOf } from './case.queries.ts'
import { closeDay, type DailyCloseDeps, readDay } from './daily-close.ts'
import { historyQuery } from './history/history.queries.ts'
import { previewRate } from './preview-rate.ts'
import { waitingProposals } from './waiting-proposals.queries.ts'

const database = useTestDatabase()
/** Connections on which PostgreSQL refuses every write. */
let reading: Db
beforeAll(async () => {
  const url = new URL(database.url)
  url.searchParams.set('options', '-c default_transaction_read_only=on')
  reading = openDatabase({ url: url.href, maxConnections: 4 })
})
afterAll(() => reading.destroy())

const ADDRESS = Buffer.alloc(20, 1)
const dailyClose = (): DailyCloseDeps => ({
  db: reading,
  clock: realClock,
  dctDecimals: 6,
  our: {
    staking: ADDRESS,
    rewardPool: ADDRESS,
    usdt: ADDRESS,
    vault: ADDRESS,
    feeReceivers: [ADDRESS],
  },
  recordAdminAction: async () => undefined,
})

test('every report works on connections that cannot write', async () => {
  const { id: userId } = await givenUser({ db: database.db, clock: realClock, realClock })
  const yesterday = addDays(businessDayOf(realClock.now()), -1)
  const deps = { db: reading, clock: realClock, secondApprovalRateBps: 1_000n as Bps }
  const refs = { claim: '1', receipts: ['a'], payouts: ['1'], rewards: ['1'] }
  const now = realClock.now()
  const answers = await Promise.all([
    readDay(dailyClose(), yesterday),
    bookedReserves(reading),
    previewRate(deps, { userId, rateBps: 500n as Bps, adminId: userId + 1n }),
    waitingProposals(reading, { adminId: userId, now }),
    findCaseClaim(reading, 'NO-SUCH').then((claim) => claim ?? 'none'),
    entriesOf(reading, refs),
    notesOf(reading, 1n),
    linksOf(reading, 1n),
    historyQuery(
      {
        userId,
        address: ADDRESS,
        range: {},
        rewards: 'monthly',
        direction: 'desc',
      },
      { limit: 10 },
    ).execute(reading),
  ])
  expect(answers).not.toContain(undefined)
})

test('closing a day writes, which such a connection refuses', async () => {
  await database.db
    .insertInto('chain_cursor')
    .values(
      (['TRON', 'BSC'] as const).map((chain) => ({
        chain,
        block_number: 1n,
        block_hash: Buffer.alloc(32),
        block_time: realClock.now(),
        final_number: 1n,
        final_time: realClock.now(),
        head_number: 1n,
        observed_at: realClock.now(),
      })),
    )
    .execute()
  const day = addDays(businessDayOf(realClock.now()), -1)
  await database.db
    .insertInto('chain_event')
    .values({
      ...{ chain: 'TRON', tx_hash: Buffer.alloc(32), log_index: 0, block_number: 1n },
      ...{ block_hash: Buffer.alloc(32), block_time: startOfBusinessDay(day) },
      ...{ address: Buffer.alloc(20), name: 'Staked', args: {}, undone_at: null },
    })
    .execute()
  const refused = await closeDay(dailyClose(), { day, adminId: 1n }).catch(sqlState)
  expect(refused).toBe('25006')
})
