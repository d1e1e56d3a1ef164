/** Reads both chains. Several may run: each range of blocks is booked once. */
import { runnerOf, watcherLoops } from './loops/loops.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { runProcess, stopAll } from './run.ts'

await runProcess(async (context) => {
  const loops = watcherLoops(context)
  const runner = runnerOf(context, loops)
  const metrics = await serveMetrics(context, 'watcher', () => runner.status())
  runner.start()
  context.log.info({ loops: loops.map(({ name }) => name) }, 'watching')
  return stopAll(runner, metrics)
})
