import { areHistoriesSpread, spreadHistories } from '../modules/earnings/index.ts'
import type { Db, DbOrTx } from '../platform/database/db.ts'
import { hasCitus } from '../platform/database/distributed-tables.ts'
import type { Config } from './config.ts'
import { StartError } from './start-error.ts'

const HOW = 'docs/histories-on-citus.md'

/**
 * Checks that the histories are where the setting HISTORIES says.
 * @throws StartError that says what to do if they are not
 */
export async function requireHistories(db: DbOrTx, wanted: Config['histories']): Promise<void> {
  if (wanted === 'citus') await requireCitus(db)
  const areSpread = await areHistoriesSpread(db)
  if (areSpread === (wanted === 'citus')) return
  throw new StartError(
    areSpread
      ? `The histories are spread over the workers of a Citus cluster, and HISTORIES is plain: set HISTORIES=citus (${HOW}).`
      : `HISTORIES is citus, and the histories are not spread yet: stop everything and run node apps/server/command.mjs migrate (${HOW}).`,
  )
}

/**
 * Moves the histories to the workers if the setting HISTORIES says so; never moves them back.
 * @returns whether they were moved
 * @throws StartError if the database has no Citus
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
