import { fileURLToPath } from 'node:url'
import { startGuarded } from '@dct/local-services'
import { ownEnvironment } from '@dct/local-services/testing/own-environment'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Runs the audit command on a running product, like an operator. */
export async function runAudit(dataDir: string): Promise<{ code: number | null; output: string }> {
  const lines: string[] = []
  const audit = startGuarded({
    command: process.execPath,
    args: ['apps/server/command.mjs', 'audit'],
    cwd: ROOT,
    env: { ...ownEnvironment(), DATA_DIR: dataDir },
    onOutput: (line) => lines.push(line),
  })
  const { code } = await audit.exited
  return { code, output: lines.join('\n') }
}
