import { msSince, realClock } from '../../platform/clock.ts'
import { isOutage, openDatabase, sqlState } from '../../platform/database/db.ts'
import { MAX_AGE_MS, NoStandby, newestReport } from '../../platform/replica/replica.ts'
import type { Config } from '../config.ts'
import { type Finding, fault, fine } from './finding.ts'

const SUBJECT = 'DATABASE_READ_URL'

/** Examines the replica, if the settings name one: reachable, a standby of the primary, and not too far behind. */
export async function examineReplica({
  replicaUrl,
}: Pick<Config, 'replicaUrl'>): Promise<Finding[]> {
  if (replicaUrl === undefined) return []
  const standby = openDatabase({ url: replicaUrl, maxConnections: 1 })
  try {
    const ageMs = msSince(await newestReport(standby), realClock.now())
    if (ageMs > MAX_AGE_MS) return [fault('replica.age', SUBJECT, BEHIND)]
    const seconds = Math.ceil(ageMs / 1_000)
    return [fine('replica.age', SUBJECT, `A standby of the primary, at most ${seconds} s behind.`)]
  } catch (error) {
    if (error instanceof NoStandby)
      return [
        fault('replica.standby', SUBJECT, `Name a standby of DATABASE_URL: ${error.message}.`),
      ]
    if (error instanceof Error && (isOutage(error) || sqlState(error) !== undefined))
      return [fault('replica.reachable', SUBJECT, `The replica does not answer: ${error.message}.`)]
    throw error
  } finally {
    await standby.destroy()
  }
}

const BEHIND =
  'It is over a minute behind, or follows another primary, or no process of the service is running: nothing is read there. See docs/runbooks/replica.md.'
