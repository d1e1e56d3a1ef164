/** Answers API calls and serves the pages. Any number may run. */
import { prepareInstallation } from './prepare.ts'
import { runProcess } from './run.ts'
import { createApi, listen } from './serve.ts'

await runProcess(async (context) => {
  await prepareInstallation(context)
  const app = await createApi(context, () => [])
  await listen(app, context)
  return { stop: () => app.close() }
})
