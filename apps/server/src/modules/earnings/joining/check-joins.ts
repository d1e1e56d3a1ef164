import type { ChainReader } from '@dct/chain-clients'
import { UNKNOWN_AFTER_MS } from '@dct/rules/constants'
import type { Hex } from 'viem'
import { type Clock, msSince } from '../../../platform/clock.ts'
import { type Db, inTransaction } from '../../../platform/database/db.ts'
import type { Loop } from '../../../platform/loops/loop.ts'
import { chainFactsOf } from '../../chain/index.ts'
import * as q from './announced-joins.queries.ts'
import { checkJoin } from './check-join.ts'

export type CheckJoinsDeps = {
  db: Db
  clock: Clock
  tron: { reader: ChainReader; staking: Hex }
}

const CHECKS_A_STEP = 10

/**
 * Checks waiting joins whenever the chain has new final blocks. A join fails only on evidence: its transaction is
 * something else, it failed in a final block, or its time is up and no node knows it. A stake on chain is booked from
 * its event regardless.
 */
export function createJoinChecker(deps: CheckJoinsDeps): Loop {
  return {
    name: 'join checks',
    async step() {
      const facts = await chainFactsOf(deps.db, 'TRON')
      if (facts === undefined) return true
      // Only up to the block that the watcher has processed: stakes up to it are already booked.
      const finalBlock = facts.blockNumber
      const now = deps.clock.now()
      const due = await q.dueJoins(deps.db, { finalBlock, now, limit: CHECKS_A_STEP })
      for (const join of due) await check(deps, join, { finalBlock, now })
      return due.length < CHECKS_A_STEP
    },
  }
}

async function check(
  { db, tron }: CheckJoinsDeps,
  join: q.AnnouncedJoin,
  { finalBlock, now }: { finalBlock: bigint; now: Date },
): Promise<void> {
  const stakes = await q.stakesOf(db, join.txHash)
  if (stakes.some((stake) => stake.staker.equals(join.staker))) {
    await inTransaction(db, (tx) => q.closeAnnouncedJoins(tx, join))
    return
  }
  const verdict = await checkJoin(tron, join)
  const isOver = msSince(join.announcedAt, now) > UNKNOWN_AFTER_MS
  if (verdict.kind === 'fault') {
    await fail(db, { ...join, reason: verdict.code })
  } else if (verdict.kind === 'unknown' && isOver) {
    await fail(db, { ...join, reason: 'LOCK_NOT_FOUND' })
  } else {
    await q.recordCheck(db, { ...join, finalBlock })
  }
}

async function fail(db: Db, failure: q.AnnouncedJoin & { reason: string }): Promise<void> {
  await inTransaction(db, (tx) => q.failAnnouncedJoin(tx, failure))
}
