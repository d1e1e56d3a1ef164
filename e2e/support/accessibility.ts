import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'
import { untilLoaded, untilStill } from './screens.ts'

/** Injected once for each page: AxeBuilder would inject its own, unminified, twice for each check. */
const AXE = readFileSync(
  createRequire(import.meta.resolve('@axe-core/playwright')).resolve('axe-core/axe.min.js'),
  'utf8',
)
/** The rules whose outcome depends only on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * The accessibility violations on a loaded page without running animations, each with its markup. The page has no
 * frames, so a single run inside it covers everything.
 */
export async function accessibilityFaults(
  page: Page,
  only?: 'colours' | 'all but colours',
): Promise<string[]> {
  await untilLoaded(page)
  await untilStill(page)
  const isInjected = await page.evaluate(() => 'axe' in window)
  if (!isInjected) await page.evaluate(AXE)
  // A script that does nothing, because AxeBuilder would replace an empty one with its own.
  const checker = new AxeBuilder({ page, axeSource: 'undefined' })
    .setLegacyMode()
    .exclude('development-wallet')
  // Passed checks are never read, and on long tables they make up most of the result.
  checker.options({ resultTypes: ['violations'] })
  if (only === 'colours') checker.withRules(COLOUR_RULES)
  if (only === 'all but colours') checker.disableRules(COLOUR_RULES)
  const { violations } = await checker.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
}

/** Expects the page, in its current state, to have no accessibility violations. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  expect(await accessibilityFaults(page), place).toEqual([])
}
