/** Reads both chains. Several may run: each range of blocks is booked once. */
import { runnerOf, watcherLoops } from './loops.ts'
import { runProcess } from './run.ts'

await runProcess(async (context) => {
  const loops = watcherLoops(context)
  const runner = runnerOf(context, loops)
  runner.start()
  context.log.info({ loops: loops.map(({ name }) => name) }, 'watching')
  return runner
})
