import { joined } from '../support/scenes.ts'
import { fact, part, untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

test('[DASH-02, DASH-03, CHAIN-02, CHAIN-08, CHAIN-14] the wallet’s balances are those of the chain', async ({
  visit,
  product,
}) => {
  const holder = await product.holder({ assets: { dct: '1234.5', trx: '4321.000001' } })
  const { page } = await visit({ as: holder, path: '/dashboard' })
  const balances = part(page, 'In your wallet')
  await expect(fact(balances, 'Token')).toHaveText('1,234.500000 DCT')
  await expect(fact(balances, 'TRX')).toHaveText('4,321.000001 TRX')
  expect(await holder.tron.trx.getBalance(holder.address)).toBe(4_321_000_001)
})

test('the dashboard stays in place on a phone while its figures and then its font load', async ({
  visit,
  product,
}) => {
  const follower = await product.holder()
  await joined(product, follower)
  await product.advance(1)
  const font = Promise.withResolvers<void>()
  const { page } = await visit({
    as: follower,
    path: '/dashboard',
    waitUntil: 'commit',
    context: { viewport: { width: 412, height: 823 }, isMobile: true },
    async before(fresh) {
      await fresh.addInitScript(sumLayoutShifts)
      // The last figure arrives once whatever the others bring is painted.
      const others = ['/earnings', '/claimable-reward', 'is_paid=false', 'is_paid=true'].map(
        (part) => fresh.waitForResponse((response) => response.url().includes(part)),
      )
      await fresh.route('**/api/user/get-claimed-rewards', async (route) => {
        await Promise.all(others)
        for (let frame = 0; frame < 5; frame += 1) await fresh.evaluate(untilNextFrame)
        await route.continue()
      })
      await fresh.route('**/*.woff2', async (route) => {
        await font.promise
        await route.continue()
      })
    },
  })
  await untilLoaded(page)
  font.resolve()
  await page.evaluate(() => document.fonts.ready)
  await expect
    .poll(() => page.evaluate(() => document.fonts.check('1em "Hanken Grotesk Variable"')))
    .toBe(true)
  expect(await page.evaluate(() => Reflect.get(window, 'layoutShifts'))).toBeLessThan(0.02)
})

/** Runs in the page. */
function untilNextFrame(): Promise<unknown> {
  return new Promise(requestAnimationFrame)
}

/** Runs in the page: adds up how much of it moves without a person's doing. */
function sumLayoutShifts(): void {
  Reflect.set(window, 'layoutShifts', 0)
  const add = ({ value, hadRecentInput }: PerformanceEntry & Record<string, unknown>) => {
    if (hadRecentInput === true) return
    Reflect.set(window, 'layoutShifts', Reflect.get(window, 'layoutShifts') + Number(value))
  }
  const watch = new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) add(entry as Parameters<typeof add>[0])
  })
  watch.observe({ type: 'layout-shift', buffered: true })
}
