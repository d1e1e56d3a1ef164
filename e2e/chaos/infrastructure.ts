import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { serverEnvironment } from '@dct/devnet/supervisor/server-environment'
import { startPostgres } from '@dct/local-services'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import { ownEnvironment } from '../support/own-environment.ts'

/** The parts that survive when servers are killed: database and chains, and the settings of a server. */
export type Infrastructure = {
  chains: ChainHost
  /** The port for a server. */
  url: string
  /** Settings of the next server that is started; a rehearsal changes some of them. */
  serverEnv: NodeJS.ProcessEnv
  /** Every address, in lower case, that fees were ever paid to or payouts were ever paid from; the present one last. */
  feeReceivers: string[]
  payoutWallets: string[]
  /** Stores a key where a server can read it. @returns the file's path */
  storeKey(key: { name: string; hex: string }): string
  database: DatabaseFiles
  /** Stops everything and removes its folder. */
  stop(): Promise<void>
}

/** Backups of the whole database as copies of its files. The database is briefly unavailable during one. */
export type DatabaseFiles = {
  /** @returns the backup for `restore` */
  backUp(): Promise<string>
  restore(backup: string): Promise<void>
}

export async function startInfrastructure(): Promise<Infrastructure> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-chaos-'))
  const host = '127.0.0.1'
  const port = await portForLater()
  const [database, chains] = await Promise.all([
    startDatabase(dir),
    startChainHost({ dir: makeFolder(dir, 'chains') }),
  ])
  const keyFolder = join(dir, 'keys')
  const forServer = { ...ownEnvironment(), LOG_LEVEL: 'warn' }
  return {
    chains,
    url: `http://${host}:${port}`,
    serverEnv: serverEnvironment({
      settings: { host, port, dataDir: dir, reset: false, forServer },
      keyFolder,
      postgres: database.postgres(),
      chains,
    }),
    feeReceivers: [chains.serviceKeys.feeReceiver.bscAddress.toLowerCase()],
    payoutWallets: [chains.serviceKeys.payout.bscAddress.toLowerCase()],
    storeKey: (key) => writeKeyFile(keyFolder, key),
    database,
    async stop() {
      await chains.stop()
      await database.postgres().stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

async function startDatabase(dir: string) {
  const folder = makeFolder(dir, 'postgres')
  let postgres = await startPostgres({ dir: folder })
  const { port } = postgres
  let backups = 0
  const whileStopped = async (work: () => void) => {
    await postgres.stop()
    work()
    postgres = await startPostgres({ dir: folder, port })
  }
  return {
    postgres: () => postgres,
    async backUp() {
      backups += 1
      const backup = join(dir, `backup-${backups}`)
      await whileStopped(() => copyFolder(folder, backup))
      return backup
    },
    restore: (backup: string) =>
      whileStopped(() => {
        rmSync(folder, { recursive: true })
        copyFolder(backup, folder)
      }),
  }
}

/** With owners and modes, which PostgreSQL insists on and Node's own copy does not keep. */
function copyFolder(from: string, to: string): void {
  execFileSync('cp', ['-a', from, to])
}

function makeFolder(dir: string, name: string): string {
  const folder = join(dir, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
