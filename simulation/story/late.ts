/**
 * Days on which something was on chain that the service did not know yet: the earning that it concerns is excused, as
 * its holder could do nothing. Whether the service knows is asked of the screens.
 */
import { dayOf, excuseOne } from '../model/books.ts'
import { unpaidClaim } from '../model/earning.ts'
import { tellBsc, tellTron } from './chronicle.ts'
import { finalPayments, isPaidOnScreen } from './payments.ts'
import type { Stage } from './stage.ts'

/** Called when a day has begun: payments of earlier days should be settled. */
export async function noteUnsettled(stage: Stage): Promise<void> {
  tellTron(stage)
  const earlier = finalPayments(stage).filter(({ at }) => dayOf(at) < stage.world.day)
  if (earlier.length === 0) return
  for (const earning of stage.earnings()) {
    const open = unpaidClaim(earning)
    if (open === undefined || !earlier.some(({ amount }) => amount === open.asked)) continue
    if (await isPaidOnScreen(stage, earning, open)) {
      tellBsc(stage)
      return
    }
    excuseOne(earning, stage.world.day)
    stage.coverage.reach('state', 'a fee on chain that is not settled')
  }
}
