/** Runs what follows the clock, and sends payouts where the keys are. Several may run. */
import { runnerOf, senderLoops, workerLoops } from './loops.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess } from './run.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  const runner = runnerOf(context, [...workerLoops(context), ...senderLoops(context)])
  runner.start()
  return runner
})
