import { defineConfig } from '@playwright/test'

/**
 * Tests that need their own product. A worker stops one product before it starts another, so these run first, and all
 * others after them with one shared product per worker.
 */
const WITH_OWN_PRODUCT = [
  'admin-control',
  'admin-control-service',
  'hostile-texts',
  'messages',
  'referrals-line',
  'terms',
  'transparency',
].map((name) => `stories/${name}.spec.ts`)

/** One browser test file per user story. Every worker runs its own product, because time travel affects everyone. */
export default defineConfig({
  testDir: '.',
  projects: [
    { name: 'pages', testMatch: 'pages/*.spec.ts' },
    { name: 'own product', testMatch: WITH_OWN_PRODUCT },
    {
      name: 'shared product',
      testMatch: ['stories/**/*.spec.ts', 'outside/**/*.spec.ts'],
      testIgnore: WITH_OWN_PRODUCT,
    },
  ],
  fullyParallel: false,
  // Browsers and products wait for each other a third of the time, so three workers keep two cores busy.
  workers: 3,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  // A shared CI machine may be slow. The report lists a test that passes on its second try as flaky.
  retries: process.env.CI ? 1 : 0,
  outputDir: '../reports/e2e-output',
  reporter: [['list'], ['junit', { outputFile: '../reports/e2e.xml' }]],
  use: {
    locale: 'en-US',
    timezoneId: 'Asia/Jakarta',
    screenshot: 'only-on-failure',
    trace: 'off',
    actionTimeout: 15_000,
  },
})
