/** `npm run screenshots`: saves every page and dialog, dark and light, phone and desktop, in the ignored folder screenshots/. */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { launchBrowser } from './support/browser.ts'
import { GALLERY, prepareScene, type Shot } from './support/gallery.ts'
import { openVisit } from './support/open-visit.ts'
import { startProduct } from './support/product.ts'
import { untilLoaded, untilStill } from './support/screens.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** Selects screenshots by name; all of them without an argument. */
const WANTED = new RegExp(process.argv[2] ?? '')
const SIZES = { desktop: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } }
const THEMES = ['dark', 'light'] as const

mkdirSync(FOLDER, { recursive: true })
const product = await startProduct()
const browser = await launchBrowser()
try {
  const scene = await prepareScene(product)
  for (const shot of GALLERY.filter(({ name }) => WANTED.test(name))) {
    await takeShot(shot, scene)
  }
} finally {
  await browser.close()
  await product.stop()
}

async function takeShot(
  { name, visit, act, isWhole = act === undefined }: Shot,
  scene: Parameters<Shot['visit']>[0],
): Promise<void> {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const theme of THEMES) {
      const { page } = await openVisit(
        { browser, url: product.url },
        { ...visit(scene), storage: { theme }, context: { viewport } },
      )
      await page.waitForLoadState('networkidle')
      await untilLoaded(page)
      await act?.(page)
      await untilLoaded(page)
      await untilStill(page)
      if (isWhole) await page.evaluate(() => window.scrollTo(0, 0))
      await page.screenshot({ path: `${FOLDER}${name}-${theme}-${size}.png`, fullPage: isWhole })
      await page.context().close()
    }
  }
  console.log(name)
}
