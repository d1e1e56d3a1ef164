import { randomBytes } from 'node:crypto'
import { leafOf, type SumNode, sumTree } from '@dct/rules/sum-tree'
import { addDays, type BusinessDay, businessDayOf, type Clock } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { hexOf } from '../../chain/index.ts'
import { requestOperatorCall } from '../../payouts/index.ts'
import { type OwedHolder, owedHolders } from '../../referrals/index.ts'
import { findOwedDay, forgetTrees, insertOwedDay, insertTree } from './owed-list.queries.ts'

/** For how many days a holder can ask for the leaf of a list. */
const KEPT_DAYS = 7
const SALT_BYTES = 32
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
  const leaves = (await owedHolders(db))
    .map((holder) => saltedLeaf(day, holder))
    // By hash, so that a place says nothing about its holder.
    .toSorted((a, b) => Buffer.compare(a.node.hash, b.node.hash))
  const levels = sumTree(leaves.map(({ node }) => node))
  const { hash, sum } = rootOf(levels)
  await inTransaction(db, async (tx) => {
    const root = Buffer.from(hash)
    const isNew = await insertOwedDay(tx, { day, at, root, sum, holders: leaves.length })
    if (!isNew) return
    await insertTree(tx, day, { leaves, levels })
    await requestOperatorCall(tx, {
      cause: `owed:${day}`,
      call: { kind: 'publishOwed', day, root: hexOf(root), sum },
      at,
    })
    await forgetTrees(tx, addDays(day, -KEPT_DAYS))
  })
}

function saltedLeaf(day: BusinessDay, { userId, address, owed }: OwedHolder) {
  const salt = randomBytes(SALT_BYTES)
  const node = leafOf({ day, holder: address, salt, owed })
  return { userId, salt, owed, node: { ...node, hash: Buffer.from(node.hash) } }
}

function rootOf(levels: readonly (readonly SumNode[])[]): SumNode {
  const root = levels.at(-1)?.[0]
  if (root === undefined) throw new Error('a tree without a root')
  return root
}
