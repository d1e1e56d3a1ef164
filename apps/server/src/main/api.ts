/** Answers API calls and serves the pages. Any number may run. */
import { prepareInstallation } from './prepare.ts'
import { runProcess } from './run.ts'
import { createApi } from './serve.ts'

await runProcess(async (context) => {
  const { config, log } = context
  await prepareInstallation(context)
  const app = await createApi(context, () => [])
  await app.listen({ host: config.host, port: config.port })
  log.info({ origin: config.origin }, 'listening')
  return { stop: () => app.close() }
})
