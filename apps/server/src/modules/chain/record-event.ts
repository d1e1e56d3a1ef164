import type { AlarmKind } from '@dct/api-contract/alarms'
import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import type { Tx } from '../../platform/database/db.ts'
import { hexOf } from './bytes.ts'
import { insertEvent } from './chain.queries.ts'
import type { ChainName, ShownEvent } from './chain.tables.ts'
import type { ChainEvent } from './chain-event.ts'

const UNDONE_ALARM = 'event_undone'
const CHANGED_ALARM = 'event_changed'

/**
 * Records an event of a final block.
 * @returns whether it must be booked. An event that was undone and is back on chain has already been booked.
 */
export async function recordEvent(tx: Tx, event: ChainEvent, at: Date): Promise<boolean> {
  const known = await insertEvent(tx, event)
  if (known === 'back') {
    const subject = subjectOf(event.chain, { ...event, txHash: hexOf(event.txHash) })
    await clearAlarm(tx, { kind: UNDONE_ALARM, subject, at })
  }
  return known === 'new'
}

/** Raises an alarm for each booked event that is no longer on chain or has different content there. */
export async function alarmDoubts(
  tx: Tx,
  { chain, undone, changed, at }: Doubts & { chain: ChainName; at: Date },
): Promise<void> {
  const alarm = (event: ShownEvent, kind: AlarmKind, what: string) =>
    raiseAlarm(tx, {
      kind,
      subject: subjectOf(chain, event),
      message: `${event.name} of transaction ${event.txHash} (${chain}) was booked and ${what}.`,
      at,
    })
  for (const event of undone) await alarm(event, UNDONE_ALARM, 'is no longer on chain')
  for (const event of changed) await alarm(event, CHANGED_ALARM, 'has different content now')
}

type Doubts = { undone: readonly ShownEvent[]; changed: readonly ShownEvent[] }

function subjectOf(chain: ChainName, event: { txHash: string; logIndex: number }): string {
  return `${chain}:${event.txHash}:${event.logIndex}`
}
