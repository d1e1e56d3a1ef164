import type { Page } from '@playwright/test'

/**
 * Translates the page as browsers do: replaces every text by elements with another one, at once and after each change,
 * except where `translate="no"` forbids it. Words keep their look and get an invisible mark, so that tests find them;
 * digits become others.
 */
export function translatePages(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const MARK = '\u200b'
    const UNTOUCHED = 'script,style,textarea,font,development-wallet,[translate="no"]'
    const translated = (text: string) => text.replace(/\d/g, (digit) => `${9 - Number(digit)}`)
    const replaceText = (text: Text) => {
      if (!/\S/.test(text.data) || text.parentElement?.closest(UNTOUCHED) !== null) return
      const outer = document.createElement('font')
      outer.append(document.createElement('font'))
      outer.firstElementChild?.append(translated(text.data) + MARK)
      text.replaceWith(outer)
    }
    const translate = (root: Node) => {
      if (root instanceof Text) return replaceText(root)
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
      texts.forEach(replaceText)
    }
    new MutationObserver((changes) => {
      for (const { type, target, addedNodes } of changes) {
        if (type === 'characterData') translate(target)
        else addedNodes.forEach(translate)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
}

/** The texts that a translator may damage: figures that it may change, and texts beside others, which React may lose. */
export function textsAtRisk(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode() !== null) {
      const { data, parentElement } = walker.currentNode as Text
      if (!/\S/.test(data) || parentElement === null) continue
      if (parentElement.closest('script,style,textarea,development-wallet,[translate="no"]'))
        continue
      if (/\d|\.\.\.\w|@/.test(data)) found.push(`figure: ${data}`)
      if (parentElement.childNodes.length > 1) found.push(`beside others: ${data}`)
    }
    return found
  })
}
