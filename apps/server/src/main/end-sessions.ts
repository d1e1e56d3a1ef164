/**
 * `end-sessions.ts`: ends every session and every link to a case, so that everybody must log in again. To be run after a
 * restore: what was ended or revoked since that copy of the database was made would be valid again.
 */
import { deleteAllSessions } from '../modules/auth/index.ts'
import { endCaseLinks } from '../modules/reports/index.ts'
import { realClock } from '../platform/clock.ts'
import { inTransaction, openDatabase } from '../platform/database/db.ts'
import { requireDatabase } from './context.ts'
import { runWithSettings } from './run.ts'

await runWithSettings(async ({ databaseUrl }) => {
  const db = openDatabase({ url: databaseUrl, maxConnections: 1 })
  await requireDatabase(db)
  const ended = await inTransaction(db, async (tx) => ({
    sessions: await deleteAllSessions(tx),
    links: await endCaseLinks(tx, realClock.now()),
  }))
  await db.destroy()
  process.stdout.write(
    `Ended ${ended.sessions} sessions and ${ended.links} links to cases: everybody logs in again.\n`,
  )
  return 0
})
