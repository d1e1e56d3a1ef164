/**
 * `backup.ts`: makes a backup and ends. `backup.ts --every HOURS`: stays, and makes one whenever the newest is that old,
 * whoever made it. A failed one raises the alarm `backup` until one succeeds.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { clearAlarm, raiseAlarm } from '../platform/alarms.ts'
import { realClock } from '../platform/clock.ts'
import { type Db, openDatabase } from '../platform/db.ts'
import { createLogger } from '../platform/logger.ts'
import { backupStoreOf } from './backup-store.ts'
import { makeBackup, newestBackupAt } from './make-backup.ts'
import { runWithSettings } from './run.ts'

const HOUR_MS = 3_600_000
const RETRY_MS = 5 * 60_000
const LOOK_MS = 60_000
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
      await sleep(LOOK_MS)
    } catch (error) {
      log.error({ error }, 'backupFailed')
      await tellFailure(db, error)
      await sleep(RETRY_MS)
    }
  }
})

/** Milliseconds; 0 without an interval, undefined for anything else. */
function readInterval(args: readonly string[]): number | undefined {
  const [flag, hours] = args
  if (flag === undefined) return 0
  const ms = Number(hours) * HOUR_MS
  return flag === '--every' && ms > 0 ? ms : undefined
}

async function tellFailure(db: Db, error: unknown): Promise<void> {
  const message = `The last backup failed: ${error instanceof Error ? error.message : error}`
  try {
    await raiseAlarm(db, { ...ALARM, message, at: realClock.now() })
  } catch {
    // The database itself is away. The log has the failure, and the next try follows.
  }
}
