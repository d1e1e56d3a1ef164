import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { archiveMonth } from '../modules/earnings/index.ts'
import type { BusinessDay } from '../platform/clock.ts'
import type { Db } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'

/** Archives the month of the first cycle, as if no claim could be undone any more. */
export async function archiveFirstMonth(db: Db, at: Date): Promise<void> {
  const all = everything(db)
  await all.updateTable('earning').set({ has_open_fee: false }).execute()
  const { day } = await all
    .selectFrom('reward_row')
    .select((eb) => eb.fn.min<BusinessDay>('day').as('day'))
    .executeTakeFirstOrThrow()
  const folder = mkdtempSync(join(tmpdir(), 'dct-archive-'))
  const month = `${day.slice(0, 7)}-01` as BusinessDay
  const archived = await archiveMonth(db, { month, folder, at })
  rmSync(folder, { recursive: true })
  if (archived === undefined) throw new Error(`${month} has no claimed cycles`)
}
