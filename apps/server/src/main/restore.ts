/**
 * `restore.ts [NAME] [--verify] [--json]`: restores the newest backup, or the named one, into the empty database of the
 * settings. Nothing is paid from it until both chains have been read and a full audit finds no difference: the watchers
 * and the worker do so on their own; `--verify` does so immediately and reports the result. Exit code 1: something
 * differs; 3: something could not be compared yet.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditReport, exitCodeOf, printReport, runAudit } from '../modules/audit/index.ts'
import { createWatcher } from '../modules/chain/index.ts'
import { markRestored } from '../modules/payouts/index.ts'
import { completeBackups } from '../platform/backup/manifest.ts'
import { restoreBackup } from '../platform/backup/restore-backup.ts'
import { BackupError } from '../platform/backup/store.ts'
import { realClock } from '../platform/clock.ts'
import { backupStoreOf, required } from './backup-store.ts'
import { watchedChains } from './chains/streams.ts'
import type { Config } from './config.ts'
import { createContext } from './context.ts'
import { runnerOf } from './loops/loops.ts'
import { senderLoops } from './loops/sender-loops.ts'
import { runWithSettings } from './run.ts'

/** Within this time, senders retry a waiting payout. */
const BOOKING_MS = { live: 20_000, devnet: 1_000 }
const TRIES = 6

const args = process.argv.slice(2)
const isJson = args.includes('--json')
const [given] = args.filter((arg) => !arg.startsWith('--'))

const VERDICTS: Readonly<Record<number, string>> = {
  0: 'The books agree with both chains. Start everything: payouts resume.',
  1: 'The books differ from the chains, and nothing is paid. Start everything: the worker, which has the keys, books what it recognises and audits every minute. Explain the rest under "Operations".',
  3: 'Not everything could be compared yet. Nothing is paid until a full audit passes; start the watcher and the worker.',
}

type Restored = {
  backup: string
  taken_at: string
  version: string
  rows: number
  facts: Record<string, string[]>
}

async function restore(config: Config): Promise<Restored> {
  const store = backupStoreOf(config.backup)
  const backup = given ?? (await completeBackups(store)).at(-1)
  if (backup === undefined) throw new BackupError('There is no complete backup in BACKUP_TO.')
  const manifest = await restoreBackup({
    databaseUrl: config.databaseUrl,
    ...{ store, backup },
    identity: required('BACKUP_IDENTITY_FILE', config.backup.identity),
    mark: (tx, { taken_at }) =>
      markRestored(tx, { backup, takenAt: new Date(taken_at), at: realClock.now() }),
  })
  const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
  const { taken_at, version, facts } = manifest
  return { backup, taken_at, version, rows, facts }
}

function describe({ backup, taken_at, version, rows, facts }: Restored): string {
  const lines = Object.entries(facts).map(([name, values]) => `  ${name}: ${values.join(', ')}`)
  return [
    `Restored ${rows} rows of the backup ${backup}, taken at ${taken_at} by version ${version}, of`,
    ...lines,
    'It lacks every request made to the service since then; what is on chain will be read again.',
  ].join('\n')
}

/**
 * Reads both chains to their ends, lets the senders of this process book what they recognise, and audits everything. No
 * sender runs during an audit: when an audit passes, payouts may resume, but this command must not pay anything.
 */
async function verify(config: Config): Promise<AuditReport> {
  const context = await createContext(config)
  const { db, clock, chains, log } = context
  const watchers = watchedChains(context).map((watched) => createWatcher({ ...watched, log }))
  const reading = runnerOf(context, watchers)
  // The same senders for every try: they remember since when they have suspected that another transaction used a nonce.
  const senders = await senderLoops(context)
  try {
    for (const watcher of watchers) await watcher.catchUp()
    reading.start()
    for (let tries = 1; ; tries += 1) {
      const booking = runnerOf(context, senders)
      booking.start()
      await sleep(config.devnet === undefined ? BOOKING_MS.live : BOOKING_MS.devnet)
      await booking.stop()
      const report = await runAudit({ db, clock, ...chains }, { full: true })
      if (exitCodeOf(report) === 0 || tries === TRIES) return report
    }
  } finally {
    await reading.stop()
    await context.close()
  }
}

function print(text: string): void {
  process.stdout.write(`${text}\n`)
}

await runWithSettings(async (config) => {
  const restored = await restore(config)
  if (!isJson) print(describe(restored))
  if (!args.includes('--verify')) {
    const next = 'Start the watcher and the worker: payouts begin once a full audit passes.'
    print(isJson ? JSON.stringify({ restored }) : next)
    return 0
  }
  const report = await verify(config)
  const code = exitCodeOf(report)
  if (isJson) print(JSON.stringify({ restored, audit: report, is_verified: code === 0 }))
  else print(`${printReport(report)}\n\n${VERDICTS[code]}`)
  return code
})
