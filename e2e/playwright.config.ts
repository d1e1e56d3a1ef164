import { defineConfig } from '@playwright/test'

/** A browser test a user story. Every worker runs a product of its own, because time travel moves everybody. */
export default defineConfig({
  testDir: '.',
  testMatch: ['stories/**/*.spec.ts', 'outside/**/*.spec.ts'],
  fullyParallel: false,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
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
