/** Reads both chains. Several may run: each range of blocks is booked once. */
import { createLoopRunner } from '../platform/loop.ts'
import { watcherLoops } from './loops.ts'
import { runProcess } from './run.ts'

await runProcess(async (context) => {
  const runner = createLoopRunner(watcherLoops(context), context.log)
  runner.start()
  return runner
})
