import { setTimeout as pause } from 'node:timers/promises'
import { type Db, isOutage, openDatabase, sqlState } from '../../platform/database/db.ts'
import { askPrimary, askStandby, NoStandby } from '../../platform/replica/replica.ts'
import type { Config } from '../config.ts'
import { type Finding, fault, fine } from './finding.ts'

const SUBJECT = 'DATABASE_READ_URL'
const PAUSE_MS = 100

/** Examines the replica, if the settings name one: reachable, a standby of the same cluster, and not too far behind. */
export async function examineReplica({
  databaseUrl,
  replica,
}: Pick<Config, 'databaseUrl' | 'replica'>): Promise<Finding[]> {
  if (replica.url === undefined) return []
  const primary = openDatabase({ url: databaseUrl, maxConnections: 1 })
  const standby = openDatabase({ url: replica.url, maxConnections: 1 })
  try {
    return [await compare(primary, standby, replica.maxAgeMs)]
  } catch (error) {
    // The examination of the primary reports what is wrong with it.
    if (isOutage(error) || sqlState(error) !== undefined) return []
    throw error
  } finally {
    await Promise.all([primary.destroy(), standby.destroy()])
  }
}

async function compare(primary: Db, standby: Db, maxAgeMs: number): Promise<Finding> {
  const found = await askPrimary(primary)
  const began = performance.now()
  try {
    const ask = () =>
      standby.getExecutor().provideConnection((connection) => askStandby(connection, found))
    while ((await ask()) < found.position) {
      if (performance.now() - began > maxAgeMs) return fault('replica.age', SUBJECT, BEHIND)
      await pause(PAUSE_MS)
    }
  } catch (error) {
    if (error instanceof NoStandby) {
      return fault('replica.standby', SUBJECT, `Name a standby of DATABASE_URL: ${error.message}.`)
    }
    if (!(error instanceof Error)) throw error
    return fault('replica.reachable', SUBJECT, `The replica does not answer: ${error.message}.`)
  }
  const seconds = ((performance.now() - began) / 1_000).toFixed(1)
  return fine('replica.age', SUBJECT, `A standby of DATABASE_URL, at most ${seconds} s behind.`)
}

const BEHIND =
  'It is further behind than READ_MAX_AGE_SECONDS allows, so nothing is read there: see docs/runbooks/replica.md.'
