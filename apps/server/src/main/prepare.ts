import { ensureAdmins } from '../modules/auth/index.ts'
import { planClaimJobs } from '../modules/claims/claims.jobs.ts'
import { planPayoutJobs } from '../modules/payouts/payouts.jobs.ts'
import { inTransaction } from '../platform/database/db.ts'
import type { Context } from './context.ts'

/** Creates what must exist before anything runs: the configured admins and the recurring jobs. Safe to repeat. */
export async function prepareInstallation({ db, clock, config }: Context): Promise<void> {
  await ensureAdmins({ db, clock }, config.admins)
  await inTransaction(db, async (tx) => {
    await planPayoutJobs(tx, clock.now())
    await planClaimJobs(tx, clock.now())
  })
}
