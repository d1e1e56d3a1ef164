/** Answers API calls and serves the pages. Any number may run. */
import { serveMetrics } from './metrics/serve-metrics.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess, stopAll } from './run.ts'
import { createApi, listen } from './serve.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  const metrics = await serveMetrics(context, () => [])
  const app = await createApi(context, {
    loopStatus: () => [],
    countCall: metrics.countCall,
    wakeLoops: () => undefined,
  })
  await listen(app, context)
  return stopAll({ stop: () => app.close() }, metrics)
})
