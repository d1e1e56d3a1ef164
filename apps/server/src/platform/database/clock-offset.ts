import type { Db } from './db.ts'
import { own } from './platform.tables.ts'

/** The offset of the business clock in milliseconds: 0 except on devnet, where time travel moves it. */
export async function readClockOffset(db: Db): Promise<number> {
  const row = await own(db)
    .selectFrom('business_clock')
    .select('offset_ms')
    .executeTakeFirstOrThrow()
  return Number(row.offset_ms)
}

export async function writeClockOffset(db: Db, offsetMs: number): Promise<void> {
  await own(db)
    .updateTable('business_clock')
    .set({ offset_ms: BigInt(offsetMs) })
    .execute()
}
