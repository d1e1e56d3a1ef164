import type { Page } from '@playwright/test'
import { missingFeatures } from '../../apps/web/build/browsers/missing-features.ts'

/** What the oldest supported browsers have, but those a little older lack. */
const A_LITTLE_NEWER = [
  'Array.prototype.at',
  'Array.prototype.findLast',
  'Array.prototype.findLastIndex',
  'String.prototype.at',
  'Object.hasOwn',
  'Crypto.prototype.randomUUID',
]

/** What the development wallet needs, which is part of no installation that real holders use. */
const OF_THE_WALLET = /adoptedStyleSheets|replaceSync/

/** Leaves this page the built-ins of the oldest supported browsers alone. */
export async function removeNewerBuiltins(page: Page): Promise<void> {
  const { paths, globals } = missingFeatures()
  await page.addInitScript(
    (removed) => {
      for (const path of removed) {
        const parts = path.split('.')
        const name = parts.pop() ?? ''
        const root: unknown =
          parts[0] === 'TypedArray'
            ? Object.getPrototypeOf(Uint8Array)
            : Reflect.get(window, parts[0] ?? '')
        const owner: unknown =
          parts.length === 2 ? (root as { prototype?: unknown } | undefined)?.prototype : root
        if (parts.length === 0) Reflect.deleteProperty(window, name)
        else if (owner) Reflect.deleteProperty(owner, name)
      }
    },
    [...paths, ...A_LITTLE_NEWER, ...globals].filter((path) => !OF_THE_WALLET.test(path)),
  )
}
