import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const ROOT = join(import.meta.dirname, '../..')

/** Stryker tests a copy of the repository, whose links to packages lead back to the unchanged ones: here they don't. */
const COPIED = '(money|rules)'

/** For the tests that judge changed code. */
export default defineConfig({
  root: ROOT,
  resolve: {
    alias: [
      { find: new RegExp(`^@dct/${COPIED}$`), replacement: join(ROOT, 'packages/$1/src/index.ts') },
      {
        find: new RegExp(`^@dct/${COPIED}/(.*)$`),
        replacement: join(ROOT, 'packages/$1/src/$2.ts'),
      },
    ],
  },
  test: { include: ['**/src/**/*.test.ts'], setupFiles: ['tools/mutation/fewer-runs.ts'] },
})
