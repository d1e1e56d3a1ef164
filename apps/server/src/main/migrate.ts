/** Brings the schema forward and ends: for installations that migrate before they start anything. */
import { runCommand } from './run.ts'

await runCommand(async ({ log }) => {
  log.info('the schema is current')
  return 0
})
