import { accessibilityFaults } from '../../support/accessibility.ts'
import { GALLERY } from '../../support/gallery.ts'
import { applyLanguage, applyTheme, NARROW } from '../../support/looks.ts'
import {
  cutOffLists,
  cutOffPlaceholders,
  foreignTerms,
  hiddenBehindActions,
  linesOfLinks,
  loneFacts,
  sidewaysOverflow,
  smallTargets,
  untilLoaded,
} from '../../support/screens.ts'
import { textsAtRisk } from '../../support/translator.ts'
import { visitOf } from './people.ts'
import { expect, test } from './test.ts'

/** A common desktop screen. */
const DESK = { width: 1440, height: 900 }
/** Widths between those of phones and desktops: tablets and half windows. */
const BETWEEN = [600, 768, 960, 1024, 1120]
/** From this width on every list shows all of its columns, or folds its rows. */
const LEAST_FOR_LISTS = 1024

/**
 * Adds a test for each page and dialog whose name matches: no accessibility violations in either theme; no horizontal
 * scrolling of the page or within its lists, on wide and narrow screens and between; no fact alone below a single row of
 * four or more; no placeholder longer than its field; no term that explains another word; the links of the top bar in
 * one line; nothing covered by a dialog's buttons once it is scrolled to its end; whatever is pressed is large enough for
 * a thumb; no text that a translator may damage.
 */
export function checkGallery(names: RegExp): void {
  for (const shot of GALLERY.filter(({ name }) => names.test(name))) {
    test(`${shot.name} is accessible in both themes, fits a narrow phone and can be translated`, async ({
      visit,
      world,
    }) => {
      const { page, wallet } = await visit(visitOf(shot, world))
      if (shot.wallet === 'asking') wallet.answerBy(() => 'nothing')
      await untilLoaded(page)
      await shot.act?.(page)
      expect(await textsAtRisk(page)).toEqual([])
      expect(await foreignTerms(page)).toEqual([])
      expect(await sidewaysOverflow(page), 'wide').toBeLessThanOrEqual(0)
      await applyTheme(page, 'dark')
      expect(await accessibilityFaults(page)).toEqual([])
      await applyTheme(page, 'light')
      expect(await accessibilityFaults(page, 'colours')).toEqual([])
      await page.setViewportSize(NARROW)
      await expect.poll(() => sidewaysOverflow(page), 'narrow').toBeLessThanOrEqual(0)
      // The colours are those of wide screens but for the bottom bar, which other tests look at.
      expect(await accessibilityFaults(page, 'all but colours')).toEqual([])
      expect(await hiddenBehindActions(page), 'narrow').toBeLessThanOrEqual(0)
      expect(await smallTargets(page), 'narrow').toEqual([])
      expect(await cutOffPlaceholders(page), 'narrow').toEqual([])
      // Indonesian words are longer than English ones.
      await applyLanguage(page, 'id')
      expect(await sidewaysOverflow(page), 'narrow, Indonesian').toBeLessThanOrEqual(0)
      expect(await cutOffLists(page), 'narrow, Indonesian').toEqual([])
      expect(await cutOffPlaceholders(page), 'narrow, Indonesian').toEqual([])
      for (const width of BETWEEN) {
        await page.setViewportSize({ width, height: 768 })
        const overflow = () => sidewaysOverflow(page)
        await expect.poll(overflow, `${width}, Indonesian`).toBeLessThanOrEqual(0)
        expect(await linesOfLinks(page), `${width}, Indonesian`).toBeLessThanOrEqual(1)
        expect(await cutOffPlaceholders(page), `${width}, Indonesian`).toEqual([])
        if (width < LEAST_FOR_LISTS) continue
        await expect.poll(() => cutOffLists(page), `${width}, Indonesian`).toEqual([])
        expect(await loneFacts(page), `${width}, Indonesian`).toEqual([])
      }
      await page.setViewportSize(DESK)
      for (const language of ['id', 'en']) {
        await applyLanguage(page, language)
        await expect.poll(() => cutOffLists(page), `wide, ${language}`).toEqual([])
        expect(await loneFacts(page), `wide, ${language}`).toEqual([])
      }
    })
  }
}
