import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../repository.ts'

/** The programs that tests start as processes, most of them many times. */
export const PROGRAMS: readonly string[] = [
  ...['all', 'api', 'audit', 'doctor', 'end-halt', 'keystore', 'migrate', 'watcher', 'worker'].map(
    (name) => `apps/server/src/main/${name}`,
  ),
  'apps/server/src/testing/page-service',
  'apps/server/src/testing/run-days',
  'apps/server/src/testing/run-in-time-zone',
  'apps/server/src/testing/run-sender',
  'devnet/src/chains/testing/host-process',
  'devnet/src/main',
  'tools/deploy',
]

export const BUNDLES = join(ROOT, '.cache/programs')

/** The Node option under which a program's bundle runs in place of its source file. */
export const RUN_BUNDLES = `--import=${pathToFileURL(join(import.meta.dirname, 'run-bundles.mjs')).href}`
