import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Db, inTransaction, OutcomeUnknown, openDatabase } from '../../platform/database/db.ts'
import { type CommitCutter, startCommitCutter } from '../../testing/commit-cutter.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { account, balanceOf, postTransfers } from './index.ts'

const PLAN = 'PLAN-360'
const database = useTestDatabase(2)
let cutter: CommitCutter
let db: Db

beforeAll(async () => {
  cutter = await startCommitCutter(database.url)
  db = openDatabase({ url: cutter.url, maxConnections: 2 })
})
afterAll(async () => {
  await db.destroy()
  cutter.stop()
})

const free = () => balanceOf(database.db, { asset: 'DCT', account: account.free(PLAN) })

function book(ref: string): Promise<number> {
  const [debit, credit] = [account.chainPool(PLAN), account.free(PLAN)]
  const at = new Date('2026-01-01T00:00:00Z')
  const transfer = {
    debit,
    credit,
    asset: 'DCT',
    amount: 7n,
    kind: 'plan.funded',
    ref,
    at,
  } as const
  return inTransaction(db, (tx) => postTransfers(tx, [transfer]))
}

test.each([
  { cut: 'before it reached the database', already: 0n, writes: 1 },
  { cut: 'after it took effect', already: 7n, writes: 0 },
] as const)(
  '[T093] a booking whose COMMIT was cut off $cut counts once when it is retried',
  async ({ cut, already, writes }) => {
    const before = await free()
    cutter.cutNext(cut)
    await expect(book(cut)).rejects.toThrow(OutcomeUnknown)
    expect((await free()) - before).toBe(already)
    expect(await book(cut)).toBe(writes)
    expect((await free()) - before).toBe(7n)
  },
)
