import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ChainHost, startChainHost } from '@dct/devnet/chains/index'
import { serverEnvironment } from '@dct/devnet/supervisor/server-environment'
import { freePort, startPostgres } from '@dct/local-services'

/** What lives on while servers are killed: database and chains, and what a server is told of them. */
export type Infrastructure = {
  chains: ChainHost
  /** Where a server shall listen. */
  url: string
  serverEnv: NodeJS.ProcessEnv
  /** Ends all of it and removes its folder. */
  stop(): Promise<void>
}

export async function startInfrastructure(): Promise<Infrastructure> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-chaos-'))
  const host = '127.0.0.1'
  const port = await freePort()
  const [postgres, chains] = await Promise.all([
    startPostgres({ dir: makeFolder(dir, 'postgres') }),
    startChainHost({ dir: makeFolder(dir, 'chains') }),
  ])
  const forServer = { PATH: process.env.PATH, HOME: process.env.HOME, LOG_LEVEL: 'warn' }
  return {
    chains,
    url: `http://${host}:${port}`,
    serverEnv: serverEnvironment({
      settings: { host, port, dataDir: dir, reset: false, forServer },
      keyFolder: join(dir, 'keys'),
      postgres,
      chains,
    }),
    async stop() {
      await chains.stop()
      await postgres.stop()
      rmSync(dir, { recursive: true, force: true })
    },
  }
}

function makeFolder(dir: string, name: string): string {
  const folder = join(dir, name)
  mkdirSync(folder, { recursive: true })
  return folder
}
