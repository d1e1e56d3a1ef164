import type { RoleName } from '@dct/api-contract/auth'
import { addUser } from '../modules/auth/register.ts'
import { openSession } from '../modules/auth/sessions.ts'
import type { Clock } from '../platform/clock.ts'
import { type Db, inTransaction } from '../platform/database/db.ts'
import { everything } from './all-tables.ts'
import { createWallet, type TestWallet } from './wallet.ts'

export type TestUser = {
  id: bigint
  wallet: TestWallet
  address: Buffer
  referralCode: string
  /** The bearer token of an open session. */
  token: string
}

/** Registers a user with a wallet and opens a session. Pass only the values that the test is about. */
export async function givenUser(
  deps: { db: Db; clock: Clock; realClock: Clock },
  facts: { role?: RoleName; referrerId?: bigint; email?: string } = {},
): Promise<TestUser> {
  const wallet = createWallet()
  const role = facts.role ?? 'user'
  return inTransaction(deps.db, async (tx) => {
    const referrer =
      facts.referrerId === undefined
        ? undefined
        : await everything(tx)
            .selectFrom('app_user')
            .select(['id', 'depth'])
            .where('id', '=', facts.referrerId)
            .executeTakeFirstOrThrow()
    const user = await addUser(tx, {
      address: wallet.address,
      email: facts.email ?? 'holder@example.com',
      role,
      referrer,
      at: deps.clock.now(),
    })
    const client = { ip: '127.0.0.1', userAgent: 'test' }
    const { token } = await openSession(deps, tx, { userId: user.id, role, client })
    return { id: user.id, wallet, address: wallet.address, referralCode: user.referralCode, token }
  })
}

/** The headers of a signed-in request. */
export function bearer(user: { token: string }): { authorization: string } {
  return { authorization: `Bearer ${user.token}` }
}
