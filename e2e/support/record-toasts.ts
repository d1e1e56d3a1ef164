import type { Page } from '@playwright/test'

declare global {
  /** What the page calls for every notice that appears in it. */
  function noteToast(words: string): Promise<void>
}

/**
 * Keeps the words of every notice that the page shows, oldest first. A notice closes by itself after three seconds, so
 * that it was never there can be told from this list alone: waiting until none is seen is waiting until it has closed.
 */
export async function recordToasts(page: Page): Promise<string[]> {
  const shown: string[] = []
  await page.exposeFunction('noteToast', (words: string) => void shown.push(words))
  await page.addInitScript(() => {
    const note = (node: Node) => {
      if (!(node instanceof Element)) return
      const found = node.matches('[data-toast]') ? [node] : node.querySelectorAll('[data-toast]')
      for (const notice of found) void noteToast(notice.textContent?.trim() ?? '')
    }
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) note(node)
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  return shown
}
