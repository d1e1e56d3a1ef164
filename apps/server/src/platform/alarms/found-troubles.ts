import type { AlarmKind } from '@dct/api-contract/alarms'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/db.ts'
import { clearAlarm, confirmAlarm, raiseAlarm, unconfirmedAlarms } from './alarms.ts'

/** Each process sees only part of the picture, so one may miss what another still finds. */
const UNCONFIRMED_MS = 60_000

export type Trouble = { kind: AlarmKind; subject: string; message: string }

/**
 * Raises an alarm for every trouble that this process finds now, and clears alarms of these kinds whose cause no
 * process has found for a minute.
 */
export async function reportTroubles(
  { db, realClock }: { db: Db; realClock: Clock },
  { kinds, found }: { kinds: readonly AlarmKind[]; found: readonly Trouble[] },
): Promise<void> {
  const at = realClock.now()
  for (const trouble of found) {
    const isNew = await raiseAlarm(db, { ...trouble, at })
    if (!isNew) await confirmAlarm(db, { ...trouble, at })
  }
  const since = new Date(at.getTime() - UNCONFIRMED_MS)
  for (const alarm of await unconfirmedAlarms(db, { kinds, since, now: at })) {
    await clearAlarm(db, { ...alarm, at })
  }
}
