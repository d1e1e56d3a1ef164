import { type Postgres, startPostgres } from '@dct/local-services'
import { startForwarder } from '@dct/local-services/testing/forwarder'
import { copyServer, type Standby, startStandby } from '@dct/local-services/testing/standby'
import { type PutBack, type WayBack, waysBack } from './ways-back.ts'

/** A database at an address that stays the same when a standby takes over, as behind a pooler or a virtual IP. */
export type ReplaceableDatabase = {
  url: string
  /** Adds a synchronous standby: from then on the primary confirms only commits that the standby has stored too. */
  addStandby(): Promise<void>
  /** Kills the primary with SIGKILL, cuts all connections to it, and promotes the standby. */
  failOver(): Promise<void>
  /** Copies the database while it is in use. @returns the name of the copy, for `restore` */
  backUp(): Promise<string>
  /** Replaces the database by a copy of it. Nothing else may use the database. */
  restore(copy: string): Promise<void>
  /** Prepares for a way back. @returns what marks the moment to return to */
  prepare(way: WayBack): Promise<() => Promise<PutBack>>
  stop(): Promise<void>
}

/** @param folderFor creates a folder with the given name */
export async function startReplaceableDatabase(
  folderFor: (name: string) => string,
): Promise<ReplaceableDatabase> {
  let dir = folderFor('postgres')
  let primary: Postgres = await startPostgres({ dir })
  let standby: Standby | undefined
  let copies = 0
  const address = await startForwarder({
    target: () => ({ host: '127.0.0.1', port: primary.port }),
  })
  const url = new URL(primary.url)
  url.port = `${address.port}`
  const newFolder = (name: string) => {
    copies += 1
    return folderFor(`${name}-${copies}`)
  }
  const moveTo = async (folder: string, settings: Readonly<Record<string, string>> = {}) => {
    await primary.stop()
    dir = folder
    primary = await startPostgres({ dir, settings })
    address.cut()
  }
  const takeOver = async (heir: Standby, folder: string) => {
    process.kill(primary.pid, 'SIGKILL')
    await primary.exited
    await heir.promote()
    primary = heir
    dir = folder
    address.cut()
  }
  const backUp = async () => {
    const copy = newFolder('copy')
    await copyServer({ url: primary.url, dir }, copy)
    return copy
  }

  return {
    url: url.href,
    async addStandby() {
      standby = await startStandby({ url: primary.url, dir }, { dir: folderFor('standby') })
    },
    async failOver() {
      if (standby === undefined) throw new Error('there is no standby')
      await takeOver(standby, folderFor('standby'))
    },
    backUp,
    restore: (copy) => moveTo(copy),
    prepare: waysBack({ now: () => ({ ...primary, dir }), newFolder, moveTo, takeOver, backUp }),
    async stop() {
      address.stop()
      await Promise.all([primary.stop(), standby?.stop()])
    },
  }
}
