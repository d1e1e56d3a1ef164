import { expect, type Page } from '@playwright/test'
import { accessibilityFaults } from './accessibility.ts'
import { sidewaysOverflow } from './screens.ts'

const WIDE = { width: 1280, height: 900 }
/** The narrowest phone that the product supports. */
export const NARROW = { width: 360, height: 740 }

/**
 * Expects the page, in its current state, to have no accessibility violations in either theme and no horizontal
 * scrolling, wide or narrow. For the second theme only the colour rules are checked. Leaves the page wide.
 */
export async function expectGoodLooks(page: Page, place: string): Promise<void> {
  for (const [size, viewport] of Object.entries({ NARROW, WIDE })) {
    await page.setViewportSize(viewport)
    await expect.poll(() => sidewaysOverflow(page), `${place}, ${size}`).toBeLessThanOrEqual(0)
    await applyTheme(page, 'dark')
    expect(await accessibilityFaults(page), `${place}, ${size}, dark`).toEqual([])
    await applyTheme(page, 'light')
    expect(await accessibilityFaults(page, 'colours'), `${place}, ${size}, light`).toEqual([])
  }
}

/** Presses the language switch, also where a dialog or a closed menu covers it. */
export async function applyLanguage(page: Page, language: string): Promise<void> {
  await page
    .locator(`.language-switch [lang="${language}"]`)
    .evaluate((button: HTMLElement) => button.click())
  await expect(page.locator('html')).toHaveAttribute('lang', language)
}

/** Applies a theme to the page without the reload that changing the setting would need. */
export function applyTheme(page: Page, theme: 'dark' | 'light'): Promise<void> {
  return page.evaluate((chosen) => {
    document.documentElement.dataset.theme = chosen
  }, theme)
}
