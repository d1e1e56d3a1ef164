/**
 * `backup.ts`: makes a backup and exits. `backup.ts --every HOURS`: keeps running and makes a backup whenever the
 * newest one, whichever process made it, is that old. A failed backup raises the alarm `backup`, until one succeeds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clearAlarm, raiseAlarm } from '../platform/alarms/alarms.ts'
import { realClock } from '../platform/clock.ts'
import { type Db, openDatabase } from '../platform/database/db.ts'
import { createLogger } from '../platform/logger.ts'
import { backupStoreOf } from './backup-store.ts'
import { makeBackup, newestBackupAt } from './make-backup.ts'
import { runWithSettings } from './run.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 5 * 60_000
const CHECK_PAUSE_MS = 60_000
const ALARM = { kind: 'backup', subject: 'database' } as const

await runWithSettings(async (config) => {
  const everyMs = readInterval(process.argv.slice(2))
  if (everyMs === undefined) {
    process.stderr.write('Usage: backup [--every HOURS]\n')
    return 2
  }
  const store = backupStoreOf(config.backup)
  const db = openDatabase({ url: config.databaseUrl, maxConnections: 2 })
  const log = createLogger(config.logLevel)
  const once = async () => {
    const { name, manifest, removed } = await makeBackup({ db, config, store })
    await clearAlarm(db, { ...ALARM, at: realClock.now() })
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = manifest.parts.reduce((sum, part) => sum + part.size, 0)
    return { backup: name, rows, bytes, removed }
  }
  if (everyMs === 0) {
    process.stdout.write(`${JSON.stringify(await once())}\n`)
    await db.destroy()
    return 0
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(0))
  log.info({ hours: everyMs / HOUR_MS }, 'backingUp')
  for (;;) {
    try {
      const newest = await newestBackupAt(store)
      const age = realClock.now().getTime() - (newest?.getTime() ?? 0)
      if (age >= everyMs) log.info(await once(), 'backedUp')
      await sleep(CHECK_PAUSE_MS)
    } catch (error) {
      log.error({ error }, 'backupFailed')
      await reportFailure(db, error)
      await sleep(RETRY_MS)
    }
  }
})

/** The interval in milliseconds; 0 if none is given, undefined if the arguments are invalid. */
function readInterval(args: readonly string[]): number | undefined {
  const [flag, hours] = args
  if (flag === undefined) return 0
  const ms = Number(hours) * HOUR_MS
  return flag === '--every' && ms > 0 ? ms : undefined
}

async function reportFailure(db: Db, error: unknown): Promise<void> {
  const message = `The last backup failed: ${error instanceof Error ? error.message : error}`
  try {
    await raiseAlarm(db, { ...ALARM, message, at: realClock.now() })
  } catch {
    // The database itself is unavailable. The failure is in the log, and another attempt follows.
  }
}
