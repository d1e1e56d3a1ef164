/** `npm run deploy`: deploys the contracts on Tron and BSC. It can be interrupted and run again at any moment. */

import { accept } from './deploy/accept.ts'
import { deploy, status } from './deploy/deploy.ts'
import { readFlags, USAGE } from './deploy/options.ts'
import { DeployError, say } from './deploy/terminal.ts'
import { vault } from './deploy/vault.ts'
import { verify } from './deploy/verify.ts'

const COMMANDS = { deploy, accept, vault, status, verify }

try {
  const { command, flags } = readFlags(process.argv.slice(2))
  if (!Object.hasOwn(COMMANDS, command)) throw new DeployError(USAGE)
  await COMMANDS[command as keyof typeof COMMANDS](flags)
} catch (error) {
  if (!(error instanceof Error)) throw error
  say(`\n${error.message}`)
  process.exitCode = 1
}
