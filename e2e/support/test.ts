import { type Browser, test as base, expect } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { launchBrowser } from './browser.ts'
import { openVisit, type Visit, type VisitOptions } from './open-visit.ts'
import { type Product, startProduct } from './product.ts'

export { expect }

type Fixtures = {
  /** Opens the product in a separate browser context. Unexpected console messages fail the test. */
  visit(options?: VisitOptions): Promise<Visit>
}
type WorkerFixtures = {
  /** Tests that check figures over all holders set their own name, which gives them a separate product. */
  productName: string
  /** Settings in which a separate product differs from the shared one. */
  productEnv: Record<string, string>
  browser: Browser
  product: Product
  admin: OutsideHolder
}

const STARTS_WITHIN_MS = 120_000

/** Each worker has one browser and one product; each test opens its own visits. */
export const test = base.extend<Fixtures, WorkerFixtures>({
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from a pattern
    async ({}, use) => {
      const browser = await launchBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
  ],
  productName: ['shared', { option: true, scope: 'worker' }],
  productEnv: [{}, { option: true, scope: 'worker' }],
  product: [
    async ({ productName: _, productEnv }, use) => {
      const product = await startProduct({ env: productEnv })
      await use(product)
      await product.stop()
    },
    { scope: 'worker', timeout: STARTS_WITHIN_MS },
  ],
  admin: [async ({ product }, use) => use(await product.admin()), { scope: 'worker' }],
  visit: async ({ browser, product }, use, testInfo) => {
    const visits: Visit[] = []
    await use(async (options) => {
      const visit = await openVisit({ browser, url: product.url }, options)
      visits.push(visit)
      return visit
    })
    if (testInfo.status !== testInfo.expectedStatus)
      console.log(visits.map(describeVisit).join('\n'))
    const complaints = visits.flatMap((visit) => visit.complaints)
    for (const visit of visits) await visit.page.context().close()
    expect(complaints, 'unexpected console messages and errors').toEqual([])
  },
})

/** Describes a visit, so that a failure can be investigated without a screenshot. */
function describeVisit({ page, toasts, calls }: Visit): string {
  const newest = calls.slice(-12).map(({ method, path }) => `  ${method} ${path}`)
  return [`On ${page.url()}, toasts: ${JSON.stringify(toasts)}, newest calls:`, ...newest].join(
    '\n',
  )
}
