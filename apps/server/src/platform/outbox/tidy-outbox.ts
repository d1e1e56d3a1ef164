import { DAY_MS } from '../clock.ts'
import { type Db, inTransaction } from '../database/db.ts'
import { own } from '../database/platform.tables.ts'

/** Messages are kept this long after they were handed to the channels. */
const KEPT_DAYS = 30
/** A delivery that no worker has taken for this long belongs to a channel that was removed from the settings. */
const ABANDONED_AFTER_MS = 2 * DAY_MS

/** Marks deliveries that no worker sends any more as failed, and removes old messages. */
export async function tidyOutbox(db: Db, now: Date): Promise<void> {
  const ago = (ms: number) => new Date(now.getTime() - ms)
  await inTransaction(db, async (tx) => {
    await own(tx)
      .updateTable('outbox_delivery')
      .set({
        state: 'failed',
        ended_at: now,
        last_error: 'No worker has this channel in its settings.',
      })
      .where('state', '=', 'pending')
      .where('due_at', '<', ago(ABANDONED_AFTER_MS))
      .execute()
    await own(tx)
      .deleteFrom('outbox_message')
      .where('dispatched_at', '<', ago(KEPT_DAYS * DAY_MS))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('outbox_delivery')
              .select('outbox_delivery.id')
              .whereRef('message_id', '=', 'outbox_message.id')
              .where('state', '=', 'pending'),
          ),
        ),
      )
      .execute()
  })
}
