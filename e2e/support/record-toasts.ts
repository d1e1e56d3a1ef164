import type { Page } from '@playwright/test'

declare global {
  /** Called in the page for every toast that appears. */
  function noteToast(words: string): Promise<void>
}

/**
 * Records the text of every toast, oldest first. A toast closes by itself after three seconds, so only this list can
 * prove that none was shown: waiting until no toast is visible would also succeed after one has closed.
 */
export async function recordToasts(page: Page): Promise<string[]> {
  const shown: string[] = []
  await page.exposeFunction('noteToast', (words: string) => void shown.push(words))
  await page.addInitScript(() => {
    const note = (node: Node) => {
      if (!(node instanceof Element)) return
      const found = node.matches('[data-toast]') ? [node] : node.querySelectorAll('[data-toast]')
      for (const shown of found) void noteToast(shown.textContent?.trim() ?? '')
    }
    const observer = new MutationObserver((changes) => {
      for (const { addedNodes } of changes) for (const node of addedNodes) note(node)
    })
    observer.observe(document, { childList: true, subtree: true })
  })
  return shown
}
