import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = join(import.meta.dirname, '../..')
const MODULES = 'apps/server/src/modules'
const NEEDS_CHAINS = /test-host|sender-chains|host-settings|sender-world|testing\/senders/

function testsWithChains(): string[] {
  return globSync(`${MODULES}/**/*.test.ts`, { cwd: ROOT })
    .filter((file) => NEEDS_CHAINS.test(readFileSync(join(ROOT, file), 'utf8')))
    .map((file) => `**/${basename(file)}`)
}

const PATIENCE_MS = 60_000

/** For the tests that judge changed code of the server: those of its modules that need a database and no chains. */
export default defineConfig({
  root: ROOT,
  test: {
    include: ['**/*.test.ts'],
    exclude: testsWithChains(),
    isolate: false,
    globalSetup: ['apps/server/src/testing/start-postgres.ts'],
    setupFiles: ['tools/mutation/fewer-runs.ts'],
    expect: { poll: { timeout: 15_000 } },
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
})
