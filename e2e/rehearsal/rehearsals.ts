import { type ChaosWorld, finishEverything } from '../chaos/chaos-world.ts'
import { judge, type Verdict } from '../chaos/verdict.ts'
import { canDump } from '../chaos/ways-back.ts'
import { changeReceiver } from './change-receiver.ts'
import { failOver } from './fail-over.ts'
import { haltAndResume } from './halt-and-resume.ts'
import { createLoad, type Load } from './load.ts'
import { omitEvents } from './omit-events.ts'
import { restoreBackup } from './restore-backup.ts'
import { returnDatabase } from './return-database.ts'
import { rotateKeys } from './rotate-keys.ts'
import { stealPayoutKey } from './steal-payout-key.ts'

/** A rare operation, with load running before and after it. */
export type Rehearsal = (world: ChaosWorld, load: Load) => Promise<void>

export const REHEARSALS: Readonly<Record<string, Rehearsal>> = {
  'both keys are replaced twice': rotateKeys,
  'the fee receiver changes': changeReceiver,
  'a backup from before a fee bump is restored': restoreBackup,
  ...(canDump() ? { 'a dump is restored': returnDatabase('dump') } : {}),
  'a cold copy is put back': returnDatabase('cold copy'),
  'a point in time is restored': returnDatabase('point in time'),
  'a standby that is behind is promoted': returnDatabase('standby'),
  'the payout key is stolen': stealPayoutKey,
  'the nodes omit events': omitEvents,
  'both chains halt and are resumed': haltAndResume,
  'the primary database dies and its standby takes over': failOver,
}

/** Performs the rehearsal under load, waits until everything has settled, and compares the books with both chains. */
export async function rehearse(world: ChaosWorld, rehearsal: Rehearsal): Promise<Verdict> {
  const load = createLoad(world)
  load.start()
  await rehearsal(world, load)
  await load.stop()
  await finishEverything(world)
  return judge(world)
}
