import { clearAlarm, raiseAlarm } from '../../platform/alarms.ts'
import { type BusinessDay, businessDayOf, type Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { listPlans } from '../plans/index.ts'
import { daysSince, isDayTaken, storedReadings, storeReadings, takeDay } from './means.queries.ts'
import { moneyPosition } from './money-position.queries.ts'
import { type MeansDeps, readMeans } from './read-means.ts'
import { findShortages } from './shortages.ts'

export type MoneyLoopDeps = MeansDeps & {
  db: Db
  /** Business time. */
  clock: Clock
  realClock: Clock
  /** Between two looks at the chains. */
  pauseMs: number
}

const ALARM = 'means.low'
/** What admins are called for; the rest is told where they look. */
const CALLED_FOR = ['WALLET_SHORT_NOW', 'TRX_LOW', 'BNB_LOW'] as const
/** How far back the pace of spending is measured. */
export const PACE_DAYS = 8

/** Reads what is there to pay with, calls the admins before it is short, and keeps what each day began with. */
export function createMoneyLoop(deps: MoneyLoopDeps): Loop {
  const { db, clock, realClock, pauseMs } = deps
  let nextLookAt = 0
  let takenDay: BusinessDay | undefined
  return {
    name: 'money',
    async step() {
      const now = realClock.now()
      if (now.getTime() >= nextLookAt) {
        nextLookAt = now.getTime() + pauseMs
        const codes = (await listPlans(db)).map(({ code }) => code)
        await storeReadings(db, await readMeans(deps, codes), now)
        await callAdmins(deps, now)
      }
      const today = businessDayOf(clock.now())
      if (takenDay !== today && !(await isDayTaken(db, today))) {
        const [position, readings] = [await moneyPosition(db), await storedReadings(db)]
        await takeDay(db, today, { position, readings })
      }
      takenDay = today
      return true
    },
  }
}

async function callAdmins({ db, clock }: MoneyLoopDeps, now: Date): Promise<void> {
  const at = clock.now()
  const look = {
    position: await moneyPosition(db),
    readings: await storedReadings(db),
    days: await daysSince(db, { today: businessDayOf(at), days: PACE_DAYS }),
    now,
  }
  const found = findShortages(look)
  await inTransaction(db, async (tx) => {
    for (const code of CALLED_FOR) {
      const shortage = found.find((one) => one.code === code)
      if (shortage === undefined) await clearAlarm(tx, { kind: ALARM, subject: code, at })
      else {
        const message = `${shortage.subject} holds ${shortage.there}; ${shortage.needed} are wanted (base units).`
        await raiseAlarm(tx, { kind: ALARM, subject: code, message, at })
      }
    }
  })
}
