import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

/** Makes and restores backups with the commands that operators use. */
export type DatabaseBackups = {
  /** Makes a backup while everything keeps running. @returns its name, for `restore` */
  backUp(): Promise<string>
  /** Replaces the database by a restored backup and compares it with the chains. Nothing else may use the database. */
  restore(backup: string): Promise<Restored>
}
export type Restored = { is_verified: boolean; audit: { differences: number } }

/** Stores the key and the backups in `dir`. */
export async function createBackups(
  dir: string,
  { settings, databaseUrl }: { settings: () => NodeJS.ProcessEnv; databaseUrl: string },
): Promise<DatabaseBackups> {
  const key = join(dir, 'backup-key')
  const recipient = (await runServer('backup-key', [key], {})).trim()
  const env = () => ({
    ...settings(),
    BACKUP_TO: join(dir, 'backups'),
    BACKUP_RECIPIENT: recipient,
    BACKUP_IDENTITY_FILE: key,
  })
  return {
    async backUp() {
      const { backup }: { backup: string } = JSON.parse(await runServer('backup', [], env()))
      return backup
    },
    async restore(backup) {
      await emptyDatabase(databaseUrl)
      return JSON.parse(await runServer('restore', [backup, '--verify', '--json'], env()))
    },
  }
}

async function runServer(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<string> {
  const file = `apps/server/src/main/${command}.ts`
  const options = { cwd: ROOT, env: { ...env, LOG_LEVEL: 'silent' }, maxBuffer: 64 * 1024 * 1024 }
  try {
    return (await run(process.execPath, [file, ...args], options)).stdout
  } catch (error) {
    // If the audit finds differences, the restore command prints its result but exits with a non-zero code.
    if (error instanceof Error && 'stdout' in error && error.stdout !== '') return `${error.stdout}`
    throw error
  }
}

async function emptyDatabase(url: string): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  const other = new URL(url)
  other.pathname = '/template1'
  const client = new pg.Client({ connectionString: other.href })
  await client.connect()
  await client.query(`drop database "${name}" with (force)`)
  await client.query(`create database "${name}"`)
  await client.end()
}
