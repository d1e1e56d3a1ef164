/**
 * `archive.ts MONTH FOLDER`: archives the claimed cycles of a month, such as 2026-03, and writes them to a file in the
 * folder. `archive.ts MONTH --restore`: writes their rows back.
 */
import { ArchiveError, archiveMonth, restoreMonth } from '../modules/earnings/index.ts'
import { type BusinessDay, realClock } from '../platform/clock.ts'
import { openDatabase } from '../platform/database/db.ts'
import { runWithSettings } from './run.ts'

const [month = '', folder = '', ...rest] = process.argv.slice(2)
const isRestore = folder === '--restore'

await runWithSettings(async (config) => {
  const isFolder = folder !== '' && !folder.startsWith('-')
  const isMonth = /^\d{4}-(0[1-9]|1[0-2])$/.test(month)
  if (!isMonth || !(isFolder || isRestore) || rest.length > 0) {
    throw new ArchiveError(
      'usage: npm run archive -- 2026-03 FOLDER, or npm run archive -- 2026-03 --restore',
    )
  }
  const db = openDatabase({ url: config.databaseUrl, maxConnections: 2 })
  try {
    process.stdout.write(`${await run(db, `${month}-01` as BusinessDay)}\n`)
    return 0
  } finally {
    await db.destroy()
  }
})

async function run(db: ReturnType<typeof openDatabase>, first: BusinessDay): Promise<string> {
  if (isRestore) {
    const archives = await restoreMonth(db, first)
    return `${month}: ${archives} archives restored.`
  }
  const archived = await archiveMonth(db, { month: first, folder, at: realClock.now() })
  if (archived === undefined) return `${month} has no claimed cycles to archive.`
  const { rowCount, path, sha256 } = archived
  return `${month}: ${rowCount} cycles archived, also to ${path} (SHA-256 of its text: ${sha256.toString('hex')}).`
}
