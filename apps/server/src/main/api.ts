/** Answers API calls and serves the pages. Any number may run. */

import { createApi, listen } from './http/serve.ts'
import { apiLoops, runnerOf } from './loops/loops.ts'
import { serveMetrics } from './metrics/serve-metrics.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess, stopAll } from './run.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  // It queries nodes on behalf of users, so it too must notice when a node belongs to another network.
  const runner = runnerOf(context, apiLoops(context))
  const metrics = await serveMetrics(context, 'api', () => runner.status())
  const app = await createApi(context, {
    loopStatus: () => runner.status(),
    countCall: metrics.countCall,
    wakeLoops: () => undefined,
  })
  await listen(app, context)
  runner.start()
  return stopAll({ stop: () => app.close() }, runner, metrics)
})
