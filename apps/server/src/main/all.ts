/** API, watchers and workers in one process: for devnet, and for small live installations. */
import { startDevnet } from './http/devnet.ts'
import { createApi, listen } from './http/serve.ts'
import { apiLoops, runnerOf, watcherLoops, workerLoops } from './loops/loops.ts'
import { senderLoops } from './loops/sender-loops.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess, stopAll } from './run.ts'

await runProcess(async (context) => {
  const runner = runnerOf(context, [
    ...apiLoops(context),
    ...watcherLoops(context),
    ...workerLoops(context),
    ...(await senderLoops(context)),
  ])
  const metrics = await serveMetrics(context, 'all', () => runner.status())
  const app = await createApi(context, {
    loopStatus: () => runner.status(),
    countCall: metrics.countCall,
    wakeLoops: () => runner.wake(),
  })
  await prepareInstallation(context)
  await startDevnet(context, app, runner)
  // Before the loops start: a failed start closes the database, and running loops would then fail.
  await listen(app, context)
  runner.start()
  return stopAll({ stop: () => app.close() }, runner, metrics)
})
