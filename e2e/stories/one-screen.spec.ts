import type { Page } from '@playwright/test'
import { readScreen } from '../support/count-words.ts'
import { activeHolder, walkToFirstReward } from '../support/newcomers-walk.ts'
import { untilStill } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const PHONE = { width: 390, height: 844 }
const SMALL_PHONE = { width: 360, height: 640 }
/** The dialogs that decide about money, and the phones on which they fit. */
const FITS: Readonly<Record<string, readonly (typeof PHONE)[]>> = {
  '06 join review': [PHONE, SMALL_PHONE],
  '11 claim dialog': [PHONE, SMALL_PHONE],
  '13 pay': [PHONE],
}
/** The buttons that are in view without scrolling. */
const IN_VIEW: Readonly<Record<string, readonly string[]>> = {
  '05 join form': ['Join'],
  '10 claim': ['Claim Full', 'Claim Half'],
}

async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector('[aria-busy="true"]') === null)
  await untilStill(page)
}

test('from the login page to the first reward there are at most 600 words to read, and what decides about money needs no scrolling on a phone', async ({
  product,
  browser,
}) => {
  test.slow()
  let words = 0
  const note = async (page: Page, name: string) => {
    await settled(page)
    words += (await page.evaluate(readScreen)).first
    for (const button of IN_VIEW[name] ?? []) {
      const place = page.getByRole('button', { name: button, exact: true })
      await expect(place, name).toBeInViewport({ ratio: 1 })
    }
    for (const size of FITS[name] ?? []) {
      await page.setViewportSize(size)
      expect(await hiddenOfDialog(page), `${name} at ${size.width}`).toBeLessThanOrEqual(0)
    }
    await page.setViewportSize(PHONE)
  }
  await walkToFirstReward({ product, browser, size: PHONE, note })
  expect(words).toBeLessThanOrEqual(600)
})

test('the dashboard of a holder in the middle of a plan has at most 180 words, 22 controls and two and a half screens', async ({
  product,
  browser,
}) => {
  const note = async (page: Page) => {
    await settled(page)
    const { whole, controls, screens } = await page.evaluate(readScreen)
    expect(whole).toBeLessThanOrEqual(180)
    expect(controls).toBeLessThanOrEqual(22)
    expect(screens).toBeLessThanOrEqual(2.5)
  }
  await activeHolder({ product, browser, size: PHONE, note })
})

/** How many pixels of the open dialog are out of sight. */
function hiddenOfDialog(page: Page): Promise<number> {
  return page.getByRole('dialog').evaluate((dialog) => {
    const { top, bottom } = dialog.getBoundingClientRect()
    const body = dialog.querySelector('.dialog__body') ?? dialog
    const scrolled = body.scrollHeight - body.clientHeight
    return Math.max(-top, bottom - window.innerHeight, scrolled)
  })
}
