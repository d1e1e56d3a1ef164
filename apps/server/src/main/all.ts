/** API, watchers and workers in one process: for devnet, and for small live installations. */
import { startDevnet } from './devnet.ts'
import { runnerOf, senderLoops, watcherLoops, workerLoops } from './loops.ts'
import { prepareInstallation } from './prepare.ts'
import { runProcess } from './run.ts'
import { createApi, listen } from './serve.ts'

await runProcess(async (context) => {
  const runner = runnerOf(context, [
    ...watcherLoops(context),
    ...workerLoops(context),
    ...senderLoops(context),
  ])
  const app = await createApi(context, () => runner.status())
  await prepareInstallation(context)
  await startDevnet(context, app, runner)
  // First, because loops that had begun would fail without the database that a failed start closes.
  await listen(app, context)
  runner.start()
  return {
    async stop() {
      await app.close()
      await runner.stop()
    },
  }
})
