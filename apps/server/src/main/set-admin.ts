/** `set-admin.ts T… [user]`: makes an address an admin, or an ordinary user again. */
import { setRole } from '../modules/auth/index.ts'
import { Refusal } from '../platform/errors.ts'
import { runCommand } from './run.ts'

const OUTCOMES = {
  admin: { changed: 'is now an admin', unchanged: 'was already an admin' },
  user: { changed: 'is no longer an admin', unchanged: 'was not an admin' },
}

const [address, role = 'admin'] = process.argv.slice(2)

await runCommand(async (context) => {
  if (address === undefined || (role !== 'admin' && role !== 'user')) {
    process.stderr.write(
      'Usage: set-admin ADDRESS [user]. With “user”, the address is no longer an admin.\n',
    )
    return 2
  }
  try {
    const hasChanged = await setRole(context, { address, role })
    const { changed, unchanged } = OUTCOMES[role]
    process.stdout.write(`${address} ${hasChanged ? changed : unchanged}.\n`)
    return 0
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    process.stderr.write(`${error.message}\n`)
    return 1
  }
})
