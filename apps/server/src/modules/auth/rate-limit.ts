import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/db.ts'
import { Refusal } from '../../platform/errors.ts'
import './auth.tables.ts'
import { limiterKeyOf } from './client-network.ts'

const WINDOW_MS = 60_000

export type Attempt = {
  action: string
  ip: string
  /** Whom the call is about; counted together with the caller's address, so nobody locks another out. */
  subject: string
  perMinute: number
}

/**
 * Counts a call and refuses it when its minute is full. The count is kept apart from what the call
 * does: a refused call counts too. Several processes share one count.
 * @throws Refusal `TOO_MANY_REQUESTS`
 */
export async function countAttempt(
  { db, realClock }: { db: Db; realClock: Clock },
  attempt: Attempt,
): Promise<void> {
  const now = realClock.now()
  const windowStart = new Date(now.getTime() - (now.getTime() % WINDOW_MS))
  const row = await db
    .insertInto('request_count')
    .values({
      key: `${attempt.action}|${limiterKeyOf(attempt.ip)}|${attempt.subject}`,
      window_start: windowStart,
      used: 1,
    })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet({
        used: sql<number>`case when request_count.window_start = excluded.window_start
          then request_count.used + 1 else 1 end`,
        window_start: sql<Date>`excluded.window_start`,
      }),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  if (row.used > attempt.perMinute) {
    const waitMs = windowStart.getTime() + WINDOW_MS - now.getTime()
    throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
}
