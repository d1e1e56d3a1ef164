import { clearAlarm, raiseAlarm } from '../../platform/alarms/alarms.ts'
import { type BusinessDay, businessDayOf, type Clock, createPaceOf } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { listPlans } from '../plans/index.ts'
import { moneySettings } from '../pricing/index.ts'
import { daysSince, isDayTaken, storedReadings, storeReadings, takeDay } from './funds.queries.ts'
import { moneyPosition } from './money-position.queries.ts'
import { payoutCosts } from './payout-costs.ts'
import { type FundsDeps, readFunds } from './read-funds.ts'
import { findShortages, type Shortage } from './shortages.ts'

export type MoneyLoopDeps = FundsDeps & {
  db: Db
  /** Business time. */
  clock: Clock
  realClock: Clock
  /** Between two readings of the chains. */
  pauseMs: number
}

const ALARM = 'funds.low'
/** The warnings that raise an alarm; the others are only shown on the admin pages. */
const ALARMED = ['WALLET_SHORT_NOW', 'TRX_LOW', 'BNB_LOW', 'ENERGY_FEE_LOW'] as const
/** The number of days over which the rate of spending is measured. */
export const PACE_DAYS = 8

/** Reads the available funds, raises alarms before they run short, and records the figures of each new day. */
export function createMoneyLoop(deps: MoneyLoopDeps): Loop {
  const { db, clock, realClock, pauseMs } = deps
  const isReadingDue = createPaceOf(realClock, pauseMs)
  let takenDay: BusinessDay | undefined
  return {
    name: 'money',
    async step() {
      if (isReadingDue()) {
        const now = realClock.now()
        const codes = (await listPlans(db)).map(({ code }) => code)
        await storeReadings(db, await readFunds(deps, codes), now)
        await updateAlarms(deps, now)
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

async function updateAlarms({ db, clock }: MoneyLoopDeps, now: Date): Promise<void> {
  const at = clock.now()
  const inputs = {
    position: await moneyPosition(db),
    readings: await storedReadings(db),
    days: await daysSince(db, { today: businessDayOf(at), days: PACE_DAYS }),
    costs: await payoutCosts(db, at),
    prices: await moneySettings(db),
    now,
  }
  const found = findShortages(inputs)
  await inTransaction(db, async (tx) => {
    for (const code of ALARMED) {
      const shortage = found.find((one) => one.code === code)
      if (shortage === undefined) await clearAlarm(tx, { kind: ALARM, subject: code, at })
      else {
        await raiseAlarm(tx, { kind: ALARM, subject: code, message: describe(shortage), at })
      }
    }
  })
}

function describe({ code, subject, there, needed }: Shortage): string {
  return code === 'ENERGY_FEE_LOW'
    ? `A payout costs ${needed} on average, but the energy fee earns only ${there} (USDT base units).`
    : `${subject} holds ${there}, but ${needed} is needed (base units).`
}
