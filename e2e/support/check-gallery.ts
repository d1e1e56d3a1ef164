import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { GALLERY, prepareScene } from './gallery.ts'
import { sidewaysOverflow, untilLoaded, untilStill } from './screens.ts'
import { expect, test } from './test.ts'

/** The narrowest phone that the product is made for. */
const NARROW = { width: 360, height: 740 }

/**
 * One test for each page and dialog whose name fits: no accessibility fault in both themes, nothing that has to be
 * scrolled sideways, wide or narrow.
 */
export function checkGallery(names: RegExp): void {
  let scene: Awaited<ReturnType<typeof prepareScene>>
  test.beforeAll(async ({ product }) => {
    scene = await prepareScene(product)
  })
  for (const { name, visit: of, act } of GALLERY.filter((shot) => names.test(shot.name))) {
    test(`${name} is accessible in both themes and fits a narrow phone`, async ({ visit }) => {
      const { page } = await visit(of(scene))
      await untilLoaded(page)
      await act?.(page)
      expect(await sidewaysOverflow(page), 'wide').toBeLessThanOrEqual(0)
      expect(await faults(page, 'dark')).toEqual([])
      expect(await faults(page, 'light')).toEqual([])
      await page.setViewportSize(NARROW)
      await expect.poll(() => sidewaysOverflow(page), 'narrow').toBeLessThanOrEqual(0)
      expect(await faults(page, 'light')).toEqual([])
    })
  }
}

async function faults(page: Page, theme: 'dark' | 'light'): Promise<string[]> {
  await page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)
  await untilLoaded(page)
  await untilStill(page)
  const { violations } = await new AxeBuilder({ page }).exclude('development-wallet').analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
}
