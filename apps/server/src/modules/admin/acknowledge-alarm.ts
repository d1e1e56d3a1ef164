import { ALARMS, type AlarmKind, alarmRule } from '@dct/api-contract/alarms'
import { clearAlarm } from '../../platform/alarms/alarms.ts'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'

type AcknowledgeDeps = { db: Db; clock: Clock; recordAdminAction: RecordAdminAction }

/**
 * Ends an alarm about a one-off event once an admin has dealt with it. The reason is recorded in the admin log. If the
 * event happens again, a new alarm is raised.
 * @throws Refusal `ALARM_HAS_CAUSE` for all other kinds of alarm, `ALARM_NOT_OPEN`
 */
export async function acknowledgeAlarm(
  { db, clock, recordAdminAction }: AcknowledgeDeps,
  input: { kind: string; subject: string; reason: string; adminId: bigint },
): Promise<void> {
  const { kind, subject, reason, adminId } = input
  if (!isKind(kind)) throw new Refusal('ALARM_NOT_OPEN')
  if (alarmRule(kind).isOneTime !== true) throw new Refusal('ALARM_HAS_CAUSE')
  const at = clock.now()
  await inTransaction(db, async (tx) => {
    if (!(await clearAlarm(tx, { kind, subject, at }))) throw new Refusal('ALARM_NOT_OPEN')
    await recordAdminAction(tx, {
      adminId,
      action: 'alarm.acknowledge',
      subject: `${kind}:${subject}`,
      before: null,
      after: { reason },
      at,
    })
  })
}

function isKind(kind: string): kind is AlarmKind {
  return Object.hasOwn(ALARMS, kind)
}
