import type { Tx } from '../../../platform/database/db.ts'
import { invariant } from '../../../platform/errors.ts'
import { own } from '../referrals.tables.ts'

/** An event of the staking contract, as the watchers pass it on. */
type StakingEvent = { name: string; args: Readonly<Record<string, string | undefined>> }

/**
 * Records a new stake for the turnover of everyone above its staker. A stake of an unregistered address counts once it
 * registers. Ignores other events and stakes that are already recorded.
 */
export async function recordStake(tx: Tx, event: StakingEvent): Promise<void> {
  if (event.name !== 'Staked') return
  const { stakeId, staker, amount } = event.args
  invariant(stakeId && staker && amount, 'a stake has an id, a staker and an amount')
  await own(tx)
    .insertInto('referral_stake')
    .values({
      stake_id: BigInt(stakeId),
      staker: Buffer.from(staker.slice(2), 'hex'),
      amount: BigInt(amount),
    })
    .onConflict((conflict) => conflict.column('stake_id').doNothing())
    .execute()
}
