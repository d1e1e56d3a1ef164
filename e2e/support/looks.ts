import type { Page } from '@playwright/test'
import { accessibilityFaults } from './accessibility.ts'
import { sidewaysOverflow } from './screens.ts'
import { expect } from './test.ts'

const WIDE = { width: 1280, height: 900 }
/** The narrowest phone that the product is made for. */
export const NARROW = { width: 360, height: 740 }

/**
 * Expects that the page as it is has no accessibility fault in either theme and nothing that has to be scrolled
 * sideways, wide or narrow. Only the rules about colours are asked again for the second theme. Leaves the page wide.
 */
export async function expectGoodLooks(page: Page, place: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ NARROW, WIDE })) {
    await page.setViewportSize(viewport)
    await expect.poll(() => sidewaysOverflow(page), `${place}, ${size}`).toBeLessThanOrEqual(0)
    await wear(page, 'dark')
    expect(await accessibilityFaults(page), `${place}, ${size}, dark`).toEqual([])
    await wear(page, 'light')
    expect(await accessibilityFaults(page, 'colours'), `${place}, ${size}, light`).toEqual([])
  }
}

/** Puts a theme on the page as it is, without the load that a change in the settings takes. */
export function wear(page: Page, theme: 'dark' | 'light'): Promise<void> {
  return page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)
}
