import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction, type Tx } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { own } from './earnings.tables.ts'

export type CapitalDeps = {
  db: Db
  clock: Clock
  /** Requests the release of a stake on chain, once per stake. Sends nothing inside the transaction. */
  requestRelease(tx: Tx, release: { stakeId: bigint; at: Date }): Promise<void>
}

export type CapitalState = 'locked' | 'due' | 'releasing' | 'released'

/** The state of a stake's capital. `due`: the stake has ended and its release has not been requested yet. */
export function capitalState(stake: {
  endsAt: Date
  releaseAskedAt: Date | null
  releasedAt: Date | null
  now: Date
}): CapitalState {
  if (stake.releasedAt !== null) return 'released'
  if (stake.releaseAskedAt !== null) return 'releasing'
  return stake.now < stake.endsAt ? 'locked' : 'due'
}

/**
 * Requests the return of a holder's capital after the end of the stake. Idempotent: the capital is sent once, to the
 * staker.
 * @returns the state of the capital after the request
 * @throws Refusal `EARNING_NOT_FOUND`, `CAPITAL_NOT_DUE`
 */
export async function claimCapital(
  deps: CapitalDeps,
  key: { staker: Buffer; planCode: string },
): Promise<CapitalState> {
  return inTransaction(deps.db, async (tx) => {
    const stake = await own(tx)
      .selectFrom('earning')
      .select(['id', 'stake_id', 'ends_at', 'release_asked_at', 'released_at'])
      .where('staker', '=', key.staker)
      .where('plan_code', '=', key.planCode)
      .forUpdate()
      .executeTakeFirst()
    if (stake === undefined) throw new Refusal('EARNING_NOT_FOUND', { plan_code: key.planCode })
    const now = deps.clock.now()
    const state = capitalState({
      endsAt: stake.ends_at,
      releaseAskedAt: stake.release_asked_at,
      releasedAt: stake.released_at,
      now,
    })
    if (state === 'locked')
      throw new Refusal('CAPITAL_NOT_DUE', { ends_at: stake.ends_at.toISOString() })
    if (state !== 'due') return state
    await askRelease(deps, tx, { id: stake.id, stakeId: stake.stake_id, at: now })
    return 'releasing'
  })
}

const RELEASES_A_STEP = 100

/** Requests the release of every ended stake automatically. */
export function createReleaseLoop(deps: CapitalDeps): Loop {
  return {
    name: 'capital release',
    async step() {
      const now = deps.clock.now()
      const asked = await inTransaction(deps.db, async (tx) => {
        const ended = await own(tx)
          .selectFrom('earning')
          .select(['id', 'stake_id'])
          .where('release_asked_at', 'is', null)
          .where('ends_at', '<=', now)
          .orderBy('ends_at')
          .limit(RELEASES_A_STEP)
          .forUpdate()
          .skipLocked()
          .execute()
        for (const { id, stake_id: stakeId } of ended)
          await askRelease(deps, tx, { id, stakeId, at: now })
        return ended.length
      })
      return asked < RELEASES_A_STEP
    },
  }
}

async function askRelease(
  deps: CapitalDeps,
  tx: Tx,
  stake: { id: bigint; stakeId: bigint; at: Date },
): Promise<void> {
  await deps.requestRelease(tx, { stakeId: stake.stakeId, at: stake.at })
  await own(tx)
    .updateTable('earning')
    .set({ release_asked_at: stake.at })
    .where('id', '=', stake.id)
    .execute()
}
