import { areHistoriesSpread, spreadHistories } from '../modules/earnings/index.ts'
import type { Db, DbOrTx } from '../platform/db.ts'
import { hasCitus } from '../platform/distributed-tables.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

const HOW = 'docs/histories-on-citus.md'

/**
 * Compares where the histories are with the setting HISTORIES.
 * @throws StartError that says what to do when they differ
 */
export async function requireHistories(db: DbOrTx, wanted: Config['histories']): Promise<void> {
  if (wanted === 'citus') await requireCitus(db)
  const areSpread = await areHistoriesSpread(db)
  if (areSpread === (wanted === 'citus')) return
  throw new StartError(
    areSpread
      ? `The histories are spread over the workers of a Citus cluster, and HISTORIES is plain: set HISTORIES=citus (${HOW}).`
      : `HISTORIES is citus, and the histories are not spread yet: stop everything and run node tools/run.mjs apps/server/src/main/migrate.ts (${HOW}).`,
  )
}

/**
 * Moves the histories to where the setting HISTORIES wants them; never back from the workers.
 * @returns whether they were moved
 * @throws StartError without Citus
 */
export async function placeHistories(db: Db, wanted: Config['histories']): Promise<boolean> {
  if (wanted === 'plain') return false
  await requireCitus(db)
  return spreadHistories(db)
}

async function requireCitus(db: DbOrTx): Promise<void> {
  if (await hasCitus(db)) return
  throw new StartError(
    `HISTORIES is citus, and the database has no extension citus: create it on every node and add the workers (${HOW}), or remove HISTORIES.`,
  )
}
