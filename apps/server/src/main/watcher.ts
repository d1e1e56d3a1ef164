/** Reads both chains. Several may run: each range of blocks is booked once. */
import { runnerOf, watcherLoops } from './loops.ts'
import { runProcess } from './run.ts'

await runProcess(async (context) => {
  const runner = runnerOf(context, watcherLoops(context))
  runner.start()
  return runner
})
