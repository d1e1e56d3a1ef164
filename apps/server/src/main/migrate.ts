/** Migrates the schema and exits: for installations that migrate before they start anything else. */
import { runCommand } from './run.ts'

await runCommand(async ({ log }) => {
  log.info('the schema is current')
  return 0
})
