import type { ChainReader } from '@dct/chain-clients'
import type { Hex } from 'viem'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/db.ts'
import type { Loop } from '../../platform/loop.ts'
import { chainFactsOf } from '../chain/index.ts'
import { judgeJoin } from './judge-join.ts'
import * as q from './submissions.queries.ts'

export type CheckJoinsDeps = {
  db: Db
  clock: Clock
  tron: { reader: ChainReader; staking: Hex }
}

const CHECKS_A_STEP = 10

/**
 * Looks waiting joins up whenever the chain has new final blocks. A join fails on evidence: its transaction is another
 * one, it failed in a final block, or its time is over and every node says that it does not know it. What is on chain
 * is booked by its event all the same.
 */
export function createJoinChecker(deps: CheckJoinsDeps): Loop {
  return {
    name: 'join checks',
    async step() {
      const facts = await chainFactsOf(deps.db, 'TRON')
      if (facts === undefined) return true
      // Only what the watcher has processed: a stake up to there is booked already.
      const finalBlock = facts.blockNumber
      const now = deps.clock.now()
      const due = await q.dueSubmissions(deps.db, { finalBlock, now, limit: CHECKS_A_STEP })
      for (const join of due) await check(deps, join, { finalBlock, now })
      return due.length < CHECKS_A_STEP
    },
  }
}

async function check(
  { db, tron }: CheckJoinsDeps,
  join: q.Submission,
  { finalBlock, now }: { finalBlock: bigint; now: Date },
): Promise<void> {
  const stakes = await q.stakesOf(db, join.txHash)
  if (stakes.some((stake) => stake.staker.equals(join.staker))) {
    await inTransaction(db, (tx) => q.closeSubmissionsOf(tx, join))
    return
  }
  const verdict = await judgeJoin(tron, join)
  const isOver = now.getTime() - join.submittedAt.getTime() > q.UNKNOWN_AFTER_MS
  if (verdict.kind === 'fault') {
    await q.failSubmission(db, { ...join, reason: verdict.code })
  } else if (verdict.kind === 'unknown' && isOver) {
    await q.failSubmission(db, { ...join, reason: 'LOCK_NOT_FOUND' })
  } else {
    await q.noteCheck(db, { ...join, finalBlock })
  }
}
