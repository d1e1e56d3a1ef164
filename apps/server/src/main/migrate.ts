/** Migrates the schema and exits: for installations that do this before they start anything else. */
import { createContext } from './context.ts'
import { runWithSettings } from './run.ts'

await runWithSettings(async (config) => {
  const context = await createContext(config)
  context.log.info('the schema is current')
  await context.close()
  return 0
})
