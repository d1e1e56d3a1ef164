import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { writeKeyFile } from '@dct/devnet/supervisor/data-folder'
import { serverEnvironment } from '@dct/devnet/supervisor/server-environment'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import { type ReplaceableDatabase, startReplaceableDatabase } from './replaceable-database.ts'

/** The parts that survive when the server is killed: database, chains and the server's settings. */
export type Infrastructure = {
  chains: ChainHost
  /** The server's URL. */
  url: string
  /** The settings for the next start of the server; rehearsals change some of them. */
  serverEnv: NodeJS.ProcessEnv
  /** Every address that has ever received fees, in lower case; the current one is last. `payoutWallets` likewise. */
  feeReceivers: string[]
  payoutWallets: string[]
  /** Stores a key where the server can read it. @returns the file's path */
  storeKey(key: { name: string; hex: string }): string
  database: ReplaceableDatabase
  /** Stops everything and removes its folder. */
  stop(): Promise<void>
}

export async function startInfrastructure(): Promise<Infrastructure> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-chaos-'))
  const host = '127.0.0.1'
  const port = await portForLater()
  const [database, chains] = await Promise.all([
    startReplaceableDatabase((name) => makeFolder(dir, name)),
    startChainHost({ dir: makeFolder(dir, 'chains') }),
  ])
  const keyFolder = join(dir, 'keys')
  const forServer = { ...ownEnvironment(), LOG_LEVEL: 'warn' }
  const settings = { host, port, dataDir: dir, reset: false, forServer }
  const serverEnv = serverEnvironment({ settings, keyFolder, postgres: database, chains })
  return {
    chains,
    url: `http://${host}:${port}`,
    serverEnv,
    feeReceivers: [chains.serviceKeys.feeReceiver.bscAddress.toLowerCase()],
    payoutWallets: [chains.deployment.bsc.payoutVault.toLowerCase()],
    storeKey: (key) => writeKeyFile(keyFolder, key),
    database,
    async stop() {
      await chains.stop()
      await database.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function makeFolder(dir: string, name: string): string {
  const folder = join(dir, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
