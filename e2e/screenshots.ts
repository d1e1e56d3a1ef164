/**
 * `npm run screenshots`: saves every page, dialog and state in both themes, both languages and five widths to the
 * git-ignored folder screenshots/, with a folder for each combination: `360-id-dark/dashboard.png`.
 */
import { mkdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { LANGUAGES } from '@dct/api-contract/languages'
import { launchBrowser } from './support/browser.ts'
import { GALLERY, type Shot } from './support/gallery.ts'
import { applyLanguage, applyTheme } from './support/looks.ts'
import { openVisit } from './support/open-visit.ts'
import { PAGE_STATES } from './support/page-states.ts'
import { startProduct } from './support/product.ts'
import { prepareScene, type Scene, visitOf } from './support/scene.ts'
import { untilLoaded, untilStill } from './support/screens.ts'

const FOLDER = fileURLToPath(new URL('../screenshots/', import.meta.url))
/** Select screenshots by name and by folder; without arguments, all are taken. */
const WANTED = new RegExp(process.argv[2] ?? '')
const WANTED_FOLDERS = new RegExp(process.argv[3] ?? '')
/** A page is opened once per kind of device and then only resized. */
const DEVICES = [
  {
    sizes: [
      { width: 1440, height: 900 },
      { width: 1024, height: 768 },
      { width: 768, height: 1024 },
    ],
    isPhone: false,
  },
  {
    sizes: [
      { width: 390, height: 844 },
      { width: 360, height: 780 },
    ],
    isPhone: true,
  },
]
type Look = { size: { width: number; height: number }; language: string; theme: 'dark' | 'light' }

const product = await startProduct()
const browser = await launchBrowser()
try {
  const scene = await prepareScene(product)
  for (const shot of [...GALLERY, ...PAGE_STATES].filter(({ name }) => WANTED.test(name))) {
    for (const { sizes, isPhone } of DEVICES) {
      const looks = looksOf(sizes)
      if (looks.length === 0) continue
      await takeShots(shot, scene, { looks, isPhone }).catch((error: Error) => {
        process.exitCode = 1
        console.error(`${shot.name}: ${error.message}`)
      })
    }
    console.log(shot.name)
  }
} finally {
  await browser.close()
  await product.stop()
}

function looksOf(sizes: readonly Look['size'][]): Look[] {
  const looks = sizes.flatMap((size) =>
    Object.keys(LANGUAGES).flatMap((language) =>
      (['dark', 'light'] as const).map((theme) => ({ size, language, theme })),
    ),
  )
  return looks.filter((look) => WANTED_FOLDERS.test(folderOf(look)))
}

function folderOf({ size, language, theme }: Look): string {
  return `${size.width}-${language}-${theme}`
}

async function takeShots(
  shot: Shot,
  scene: Scene,
  { looks, isPhone }: { looks: readonly Look[]; isPhone: boolean },
): Promise<void> {
  const { name, act, isWhole = act === undefined, isBusy = false } = shot
  const viewport = looks[0]?.size ?? null
  const { page } = await openVisit(
    { browser, url: product.url },
    { ...visitOf(shot, scene), context: { viewport, isMobile: isPhone, hasTouch: isPhone } },
  )
  const settled = async () => {
    if (isBusy) return
    await untilLoaded(page)
    await untilStill(page)
  }
  await page.locator('main').waitFor()
  await settled()
  await act?.(page)
  for (const look of looks) {
    await page.setViewportSize(look.size)
    await applyLanguage(page, look.language)
    await applyTheme(page, look.theme)
    await settled()
    if (isWhole) await page.evaluate(() => window.scrollTo(0, 0))
    const folder = `${FOLDER}${folderOf(look)}/`
    mkdirSync(folder, { recursive: true })
    await page.screenshot({ path: `${folder}${name}.png`, fullPage: isWhole })
  }
  await page.context().close()
}
