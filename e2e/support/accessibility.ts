import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { untilLoaded, untilStill } from './screens.ts'
import { expect } from './test.ts'

/** What depends on the colours alone. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

/**
 * What the checker finds against a page once it is loaded and nothing moves, each with the markup in question. The
 * page has no frames, so one run inside of it sees everything.
 */
export async function accessibilityFaults(page: Page, only?: 'colours'): Promise<string[]> {
  await untilLoaded(page)
  await untilStill(page)
  const checker = new AxeBuilder({ page }).setLegacyMode().exclude('development-wallet')
  // Of what passes nothing is read, and on long tables it is most of the answer.
  checker.options({ resultTypes: ['violations'] })
  if (only === 'colours') checker.withRules(COLOUR_RULES)
  const { violations } = await checker.analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html)}`)
}

/** Expects that the checker finds nothing against the page as it is. */
export async function expectAccessible(page: Page, place: string): Promise<void> {
  expect(await accessibilityFaults(page), place).toEqual([])
}
