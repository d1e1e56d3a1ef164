import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import type { Db } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { limiterKeyOf } from '../../platform/http/client-network.ts'
import { own } from './auth.tables.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

export type Attempt = {
  action: string
  ip: string
  /**
   * The user or address that the call is for; counted together with the caller's network, so that nobody can lock
   * out another.
   */
  subject: string
} & ({ perMinute: number } | { perHour: number })

/**
 * Counts a call and refuses it when the limit for the current minute or hour is reached. The count is written outside the
 * call's transaction, so refused calls count too. All processes share the counts.
 * @throws Refusal `TOO_MANY_REQUESTS`
 */
export async function countAttempt(
  { db, realClock }: { db: Db; realClock: Clock },
  attempt: Attempt,
): Promise<void> {
  const now = realClock.now()
  const [most, windowMs] =
    'perHour' in attempt ? [attempt.perHour, HOUR_MS] : [attempt.perMinute, MINUTE_MS]
  const windowStart = new Date(now.getTime() - (now.getTime() % windowMs))
  const row = await own(db)
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
  if (row.used > most) {
    const waitMs = windowStart.getTime() + windowMs - now.getTime()
    throw new Refusal('TOO_MANY_REQUESTS', { retryAfterSeconds: Math.ceil(waitMs / 1_000) })
  }
}
