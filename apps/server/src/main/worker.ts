/** Runs scheduled work, and sends payouts where the keys are. Several may run. */
import { runnerOf, workerLoops } from './loops/loops.ts'
import { senderLoops } from './loops/sender-loops.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess, stopAll } from './run.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  const senders = await senderLoops(context)
  const loops = [...workerLoops(context), ...senders]
  const runner = runnerOf(context, loops)
  const metrics = await serveMetrics(context, 'worker', () => runner.status())
  runner.start()
  context.log.info({ loops: loops.map(({ name }) => name) }, 'working')
  if (senders.length === 0) context.log.warn('this worker has no key and sends nothing')
  return stopAll(runner, metrics)
})
