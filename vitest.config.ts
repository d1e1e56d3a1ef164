import { configDefaults, defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { texts } from './apps/web/build/texts-plugin.ts'

const NEVER = ['**/node_modules/**', '**/dist/**']
const SERVICES = 'packages/local-services/**'
const SUPERVISOR = 'devnet/src/supervisor/**'
const PREPARED_CHAINS = 'devnet/src/chains/testing/prepare-chains.ts'

/**
 * What only a release needs, with `npm run test:release`: minutes of load, kills and recovery whose laws the other
 * projects hold one by one, and whether the contracts' fuzz tests find planted faults.
 */
const FOR_RELEASES = [
  'contracts/test/*-canaries.test.ts',
  'e2e/live/live.test.ts',
  'e2e/rehearsal/rehearsal.test.ts',
  'e2e/chaos/*.test.ts',
  'apps/server/src/modules/payouts/killed-senders.test.ts',
  'apps/server/src/main/outside/parties-in-every-way.test.ts',
]

/** Files that take a minute or more: one that starts late would keep a single worker busy at the end. */
const SLOWEST = [
  'e2e/upgrade/upgrade.test.ts',
  'tools/start.test.ts',
  'simulation/simulation.test.ts',
  'payouts/crash.test.ts',
  'audit/run-audit.test.ts',
  'loops/year-ahead.test.ts',
  'outside/parties.test.ts',
]

class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOWEST.some((path) => moduleId.endsWith(path))
    const sorted = await super.sort(files)
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))]
  }
}

/** A PostgreSQL other than the tests' own, above all a cluster, may answer more slowly. */
const PATIENCE_MS = process.env.TEST_DATABASE_URL === undefined ? 60_000 : 300_000

/** A busy machine may take seconds until what is polled is there; by default, a poll fails after one. */
const EXPECT = { poll: { timeout: 15_000 } }

/** Tests that need a Citus cluster, named by TEST_DATABASE_URL: see docs/operating/growth.md. */
const CITUS = {
  test: {
    name: 'citus',
    include: ['apps/server/src/testing/citus/*.citus.ts'],
    globalSetup: ['apps/server/src/testing/start-postgres.ts'],
    expect: EXPECT,
    testTimeout: PATIENCE_MS,
    hookTimeout: PATIENCE_MS,
  },
}

/** Projects differ in what they need: nothing, PostgreSQL, development chains, child processes. */
export default defineConfig({
  test: {
    // Tests wait for databases, chains and processes a third of the time, so three workers keep two cores busy.
    maxWorkers: 3,
    sequence: { sequencer: SlowestFirst },
    // No test imports the schema, but the whole server depends on it.
    forceRerunTriggers: [...configDefaults.forceRerunTriggers, '**/migrations/**/*.sql'],
    projects: [
      {
        plugins: [texts()],
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'simulation/model/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}', 'verify/**/*.test.ts'],
          exclude: [...NEVER, SERVICES],
          // Most files need a tenth of a second, and loading their modules again for each three times that.
          isolate: false,
          expect: EXPECT,
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          exclude: [...NEVER, ...FOR_RELEASES],
          // Files share a process and its modules: loading the whole server for each file took two fifths of the time.
          isolate: false,
          globalSetup: ['apps/server/src/testing/start-postgres.ts', PREPARED_CHAINS],
          expect: EXPECT,
          testTimeout: PATIENCE_MS,
          hookTimeout: PATIENCE_MS,
        },
      },
      {
        plugins: [texts()],
        test: {
          name: 'chains',
          include: [
            'contracts/**/*.test.ts',
            'simulation/chains/*.test.ts',
            'devnet/**/*.test.ts',
            'e2e/upgrade/**/*.test.ts',
          ],
          exclude: [...NEVER, SUPERVISOR, ...FOR_RELEASES],
          globalSetup: [PREPARED_CHAINS],
          expect: EXPECT,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'release',
          include: FOR_RELEASES,
          globalSetup: ['apps/server/src/testing/start-postgres.ts', PREPARED_CHAINS],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'tools',
          include: [`${SERVICES}/*.test.ts`, `${SUPERVISOR}/*.test.ts`, '{bench,tools}/**/*.test.ts', 'simulation/*.test.ts'],
          exclude: NEVER,
          expect: EXPECT,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      ...(process.env.TEST_DATABASE_URL === undefined ? [] : [CITUS]),
    ],
  },
})
