import { type Db, inTransaction, type Tx } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import {
  addToTotals,
  type DownlineDelta,
  lockTotals,
  takeChanges,
  takeStakes,
  usersAbove,
} from './downline-totals.queries.ts'

/**
 * The maximum number of changes and of stakes per run. A run blocks no other transaction, so this only bounds memory.
 */
const BATCH = 2_000

export type DownlineLoopDeps = {
  db: Db
  /** Interval between two runs in ms of real time, so that a deep line is not rewritten for every new user. */
  pauseMs: number
}

/** Keeps the sums over downlines up to date. Several processes may run it. */
export function createDownlineLoop({ db, pauseMs }: DownlineLoopDeps): Loop {
  return { name: 'downlines', pauseMs, step: () => inTransaction(db, updateTotals) }
}

/**
 * Adds queued changes to the totals of all users above.
 * @returns true if none are left or another process is updating them
 */
async function updateTotals(tx: Tx): Promise<boolean> {
  if (!(await lockTotals(tx))) return true
  const changes = await takeChanges(tx, BATCH)
  const stakes = await takeStakes(tx, BATCH)
  if (changes.length === 0 && stakes.length === 0) return true
  const deltas = new Map<bigint, DownlineDelta>()
  for (const { referrerId, members, depth } of changes) {
    merge(deltas, { ...NOTHING, userId: referrerId, directs: members, members, deepest: depth })
  }
  for (const { userId, referrerId, amount } of stakes) {
    merge(deltas, { ...NOTHING, userId, locked: amount })
    if (referrerId !== null) merge(deltas, { ...NOTHING, userId: referrerId, turnover: amount })
  }
  const starts = [...changes, ...stakes].map(({ referrerId }) => referrerId)
  propagate(
    deltas,
    await usersAbove(
      tx,
      starts.filter((id) => id !== null),
    ),
  )
  await addToTotals(tx, [...deltas.values()])
  return changes.length < BATCH && stakes.length < BATCH
}

const NOTHING = { directs: 0, members: 0, locked: 0n, turnover: 0n, deepest: 0 }

/**
 * Adds the sums of each user to the referrer's. A referrer always has a lower id than the users below, so going by
 * descending id visits every user after the whole downline.
 */
function propagate(
  deltas: Map<bigint, DownlineDelta>,
  users: readonly { userId: bigint; referrerId: bigint | null }[],
): void {
  for (const { userId, referrerId } of users) {
    const delta = deltas.get(userId)
    if (delta === undefined || referrerId === null) continue
    const { members, turnover, deepest } = delta
    merge(deltas, { ...NOTHING, userId: referrerId, members, turnover, deepest })
  }
}

function merge(deltas: Map<bigint, DownlineDelta>, more: DownlineDelta): void {
  const before = deltas.get(more.userId)
  if (before === undefined) {
    deltas.set(more.userId, more)
    return
  }
  before.directs += more.directs
  before.members += more.members
  before.locked += more.locked
  before.turnover += more.turnover
  before.deepest = Math.max(before.deepest, more.deepest)
}
