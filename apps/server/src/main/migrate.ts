/**
 * Migrates the schema, moves the histories to where the setting HISTORIES says, and exits: for installations that do
 * this before they start anything else.
 */
import { openDatabase } from '../platform/database/db.ts'
import { migrate } from '../platform/database/migrate.ts'
import type { Config } from './config.ts'
import { createContext } from './context.ts'
import { placeHistories } from './histories.ts'
import { runWithSettings } from './run.ts'

await runWithSettings(async (config) => {
  const wasMoved = await bringForward(config)
  const context = await createContext(config)
  if (wasMoved) context.log.info('the histories are spread over the workers')
  context.log.info('the schema is current')
  await context.close()
  return 0
})

async function bringForward({ databaseUrl, histories }: Config): Promise<boolean> {
  const db = openDatabase({ url: databaseUrl, maxConnections: 1 })
  try {
    await migrate(db)
    return await placeHistories(db, histories)
  } finally {
    await db.destroy()
  }
}
