/** Runs what follows the clock, and sends payouts where the keys are. Several may run. */
import { createLoopRunner } from '../platform/loop.ts'
import { senderLoops, workerLoops } from './loops.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess } from './run.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  const runner = createLoopRunner([...workerLoops(context), ...senderLoops(context)], context.log)
  runner.start()
  return runner
})
