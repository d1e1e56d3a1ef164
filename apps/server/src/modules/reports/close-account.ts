import { type Db, inTransaction } from '../../platform/database/db.ts'
import { Refusal } from '../../platform/errors.ts'
import { erasePerson } from '../auth/index.ts'
import { hasUnfinished } from '../earnings/index.ts'
import { forgetHolder } from '../messages/index.ts'

/**
 * Removes the person from an account whose plans have ended: e-mail addresses, channels, devices and sessions. The books
 * keep address and amounts, so that whoever logs in again with the same wallet finds them.
 * @throws Refusal `ACCOUNT_IN_USE` while tokens are locked, or a reward can still be claimed
 */
export async function closeAccount(
  db: Db,
  { userId, address }: { userId: bigint; address: Buffer },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    if (await hasUnfinished(tx, address)) throw new Refusal('ACCOUNT_IN_USE')
    await forgetHolder(tx, userId)
    await erasePerson(tx, userId)
  })
}
