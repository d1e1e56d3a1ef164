import { defineConfig } from 'vitest/config'

const NEVER = ['**/node_modules/**', '**/dist/**']
const SERVICES = 'packages/local-services/**'
const SUPERVISOR = 'devnet/src/supervisor/**'

/** Projects differ in what they need: nothing, PostgreSQL, development chains, child processes. */
export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['packages/**/*.test.ts', 'apps/web/**/*.test.{ts,tsx}'],
          exclude: [...NEVER, SERVICES],
        },
      },
      {
        test: {
          name: 'server',
          include: ['apps/server/**/*.test.ts'],
          exclude: NEVER,
          globalSetup: ['apps/server/src/testing/start-postgres.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'chains',
          include: ['contracts/**/*.test.ts', 'devnet/**/*.test.ts', 'e2e/chaos/**/*.test.ts'],
          exclude: [...NEVER, SUPERVISOR],
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'tools',
          include: [`${SERVICES}/*.test.ts`, `${SUPERVISOR}/*.test.ts`, 'tools/**/*.test.ts'],
          exclude: NEVER,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
