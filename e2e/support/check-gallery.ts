import { accessibilityFaults } from './accessibility.ts'
import { GALLERY, prepareScene } from './gallery.ts'
import { applyTheme, NARROW } from './looks.ts'
import { sidewaysOverflow, untilLoaded } from './screens.ts'
import { expect, test } from './test.ts'

/**
 * Adds a test for each page and dialog whose name matches: no accessibility violations in either theme, and no
 * horizontal scrolling on wide and narrow screens.
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
      await applyTheme(page, 'dark')
      expect(await accessibilityFaults(page)).toEqual([])
      await applyTheme(page, 'light')
      expect(await accessibilityFaults(page, 'colours')).toEqual([])
      await page.setViewportSize(NARROW)
      await expect.poll(() => sidewaysOverflow(page), 'narrow').toBeLessThanOrEqual(0)
      expect(await accessibilityFaults(page)).toEqual([])
    })
  }
}
