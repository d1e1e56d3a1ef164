import type { Tx } from '../../platform/db.ts'
import { invariant } from '../../platform/errors.ts'
import './referrals.tables.ts'

/** An event of the staking contract, as watchers hand it on. */
type StakingEvent = { name: string; args: Readonly<Record<string, string | undefined>> }

/**
 * Notes a new stake for the turnover of all who stand above its staker, whoever that is: a stake of
 * an address that is not registered counts from its registration on. Other events change nothing
 * here, nor does noting a stake again.
 */
export async function noteStake(tx: Tx, event: StakingEvent): Promise<void> {
  if (event.name !== 'Staked') return
  const { stakeId, staker, amount } = event.args
  invariant(stakeId && staker && amount, 'a stake has an id, a staker and an amount')
  await tx
    .insertInto('referral_stake')
    .values({
      stake_id: BigInt(stakeId),
      staker: Buffer.from(staker.slice(2), 'hex'),
      amount: BigInt(amount),
    })
    .onConflict((conflict) => conflict.column('stake_id').doNothing())
    .execute()
}
