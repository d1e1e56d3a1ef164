import { ownAddresses } from '../modules/chain/index.ts'
import { completeBackups } from '../platform/backup/manifest.ts'
import { pruneBackups, takenAtOf } from '../platform/backup/prune-backups.ts'
import type { BackupStore } from '../platform/backup/store.ts'
import { type WrittenBackup, writeBackup } from '../platform/backup/write-backup.ts'
import { realClock } from '../platform/clock.ts'
import type { Db } from '../platform/database/db.ts'
import { VERSION } from '../platform/version.ts'
import { required } from './backup-store.ts'
import type { Config } from './config.ts'

/**
 * Tables that are backed up without their rows: after a restore, ended sessions and used challenges would be valid
 * again, and counts and reports would be outdated.
 */
const WITHOUT_ROWS = ['auth_session', 'auth_challenge', 'request_count', 'loop_report']

type Deps = { db: Db; config: Config; store: BackupStore }

/** Makes a backup and removes those that are too old. */
export async function makeBackup({
  db,
  config,
  store,
}: Deps): Promise<WrittenBackup & { removed: string[] }> {
  const { tron, bsc, backup } = config
  const own = await ownAddresses(db)
  const written = await writeBackup({
    databaseUrl: config.databaseUrl,
    store,
    recipient: required('BACKUP_RECIPIENT', backup.recipient),
    clock: realClock,
    version: VERSION,
    facts: {
      'Tron chain': [`${tron.chainId}`],
      contracts: [tron.token, tron.staking, tron.rewardPool, bsc.usdt],
      'BSC chain': [`${bsc.chainId}`],
      ...Object.fromEntries(Object.entries(own).map(([role, all]) => [role, [...all]])),
    },
    withoutRows: WITHOUT_ROWS,
  })
  return { ...written, removed: await pruneBackups({ store, clock: realClock }, backup.keepDays) }
}

/** When the newest complete backup was taken; undefined if there is none. */
export async function newestBackupAt(store: BackupStore): Promise<Date | undefined> {
  return takenAtOf((await completeBackups(store)).at(-1) ?? '')
}
