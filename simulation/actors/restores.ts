/** Backups, and what every operator does one day: put an old one back. */
import { balanceOf, dayOf } from '../model/books.ts'
import { owed } from '../model/earning.ts'
import { owedTo } from '../model/referral.ts'
import type { Stage } from '../story/stage.ts'
import { choose, type Play } from './act.ts'
import { excuseClosed } from './time.ts'

let made = 0

export const backUp: Play = async (stage) => {
  const { databases, database } = stage.world.options
  made += 1
  const name = `${database}_backup_${made}`
  await withoutProcesses(stage, () => databases.create(name, database))
  stage.backups.push(stage.memory(name))
  stage.say(`a backup is made`)
}

/** However it was made: a dump, a snapshot of the disk, a point in time. The database is simply that of another moment. */
export const restore: Play = async (stage, [which]) => {
  if (stage.backups.length === 0) return
  const backup = choose(stage.backups, which)
  const { databases, database } = stage.world.options
  await withoutProcesses(stage, async () => {
    await databases.drop(database)
    await databases.create(database, backup.database)
    stage.world.sleep(10 * 60_000)
  })
  const hours = Math.round((stage.world.now - backup.at) / 3_600_000)
  stage.say(`the backup of ${hours} h ago is restored`)
  stage.restores += 1
  stage.coverage.reach('fault', 'restore')
  forget(stage, backup)
}

/** The model goes back too; what the chains have done since then it is told again. */
function forget(stage: Stage, backup: Stage['backups'][number]): void {
  // Of two restores in a row, the second one loses nothing that the first one had not lost.
  const advance = (account: string, sum: bigint) => {
    const former = stage.advances.get(account) ?? 0n
    stage.advances.set(account, former > sum ? former : sum)
  }
  for (const earning of stage.earnings())
    advance(`${earning.plan} ${earning.staker}`, owed(earning))
  for (const holder of stage.holders)
    advance(`USDT ${holder.name}`, bonusOwed(stage, holder.tronAddress))
  // A decision of admins since then is lost, and the price is that of before.
  stage.adminPrice = undefined
  stage.remember(backup)
  // Its days are run again, late, once the service has had its turn; nobody could claim from these books in between.
  excuseClosed(stage, backup.at)
  for (let day = dayOf(backup.at); day <= stage.world.day; day += 1) stage.doubtful.add(day)
}

export function bonusOwed(stage: Stage, referrer: string): bigint {
  const kinds = ['direct', 'non-direct'] as const
  return kinds.reduce((sum, kind) => sum + owedTo(balanceOf(stage.books, referrer, kind)), 0n)
}

export async function withoutProcesses(stage: Stage, work: () => Promise<void>): Promise<void> {
  const { world } = stage
  const running = world.processes
  await world.stopAll()
  await work()
  for (const name of running) await startAgain(stage, name as 'api' | 'worker' | 'worker 2')
}

export async function startAgain(stage: Stage, name: 'api' | 'worker' | 'worker 2'): Promise<void> {
  const problem = await stage.world.start(name)
  if (problem !== undefined) stage.say(`the ${name} does not start: ${problem}`)
}
