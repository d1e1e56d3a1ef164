import { expect, type Page } from '@playwright/test'

/** What a text does if a page executes it instead of showing it. */
export const RUN = 'top.hostile=1'
export const MARKUP = [
  `<script>${RUN}</script>`,
  `<img src=x onerror=${RUN}>`,
  `<svg onload=${RUN}>`,
  `<iframe srcdoc="<script>${RUN}</script>"></iframe>`,
  `<iframe src="javascript:${RUN}"></iframe>`,
  `<a href="javascript:${RUN}" target=_blank>x</a>`,
  `<input autofocus onfocus=${RUN}>`,
  `<details open ontoggle=${RUN}>`,
  `<video><source onerror=${RUN}></video>`,
  `<form action="javascript:${RUN}"><button>x</button></form>`,
  `<base href="//evil.example/">`,
  `javascript:${RUN}`,
]
const PAYLOADS = MARKUP.flatMap((text) => [
  text,
  `">${text}`,
  `'>${text}`,
  `</title></textarea></script>${text}`,
  `{{constructor.constructor('${RUN}')()}}${text}`,
])
/** Joins the payloads into texts of at most `length` characters. */
export function chunksOf(length: number): string[] {
  const chunks: string[] = []
  for (const payload of PAYLOADS) {
    const longer = `${chunks.at(-1)} ${payload}`
    if (chunks.length > 0 && longer.length <= length) chunks[chunks.length - 1] = longer
    else chunks.push(payload)
  }
  return chunks
}

/** Expects that no stored text was executed or became markup, and that external links are safe. */
export async function expectHarmless(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hasRun: 'hostile' in window,
    parts: document.querySelectorAll('iframe, base, [onerror], [onload], [onfocus], [ontoggle]')
      .length,
    links: [...document.querySelectorAll('a[href]')]
      .map((link) => link as HTMLAnchorElement)
      .filter(({ origin, rel }) => origin !== location.origin && !/noopener noreferrer/.test(rel))
      .map(({ href }) => href),
    scripts: [...document.querySelectorAll<HTMLElement>('[href], [src], [action]')]
      .flatMap((part) => ['href', 'src', 'action'].map((name) => part.getAttribute(name) ?? ''))
      .filter((target) => /^\s*javascript:/i.test(target)),
  }))
  expect(found).toEqual({ hasRun: false, parts: 0, links: [], scripts: [] })
}
