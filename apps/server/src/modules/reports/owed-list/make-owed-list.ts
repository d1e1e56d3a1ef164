import { randomBytes } from 'node:crypto'
import { addDays, type BusinessDay, businessDayOf, type Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { hexOf } from '../../chain/index.ts'
import { requestOperatorCall } from '../../payouts/index.ts'
import {
  findOwedDay,
  forgetTrees,
  insertOwedDay,
  insertTree,
  lockOwedDay,
} from './owed-list.queries.ts'

/** For how many days a holder can ask for the leaf of a list. */
const KEPT_DAYS = 7
const SECRET_BYTES = 32
const DAY_MAY_TAKE_MS = 10 * 60_000

/** Lists, once after the end of each business day, what referrers are owed, and has it published in the vault. */
export function createOwedListLoop({ db, clock }: { db: Db; clock: Clock }): Loop {
  let listed: BusinessDay | undefined
  return {
    name: 'owed-list',
    mayTakeMs: DAY_MAY_TAKE_MS,
    async step() {
      const day = addDays(businessDayOf(clock.now()), -1)
      if (listed !== day) await makeOwedList({ db, clock }, day)
      listed = day
      return true
    },
  }
}

/** Stores the list of a day that is over, unless it exists. What is owed is read in one statement, so at one moment. */
export async function makeOwedList(
  { db, clock }: { db: Db; clock: Clock },
  day: BusinessDay,
): Promise<void> {
  if ((await findOwedDay(db, day)) !== undefined) return
  const at = clock.now()
  await inTransaction(db, async (tx) => {
    if (!(await lockOwedDay(tx, day))) return
    const { root, sum, holders } = await insertTree(tx, { day, secret: randomBytes(SECRET_BYTES) })
    await insertOwedDay(tx, { day, at, root, sum, holders })
    await requestOperatorCall(tx, {
      cause: `owed:${day}`,
      call: { kind: 'publishOwed', day, root: hexOf(root), sum },
      at,
    })
    await forgetTrees(tx, addDays(day, -KEPT_DAYS))
  })
}
