import type { Page } from '@playwright/test'

/**
 * Translates the page as browsers do, at once and after each change, except where `translate="no"` forbids it. Of three
 * texts, one is replaced by elements with another text, as Chrome does; one gets other words in its place, as in Safari
 * and Firefox; and one is put back soon, as a new text, as when its reader asks for the original. Words keep their look
 * and get an invisible mark, so that tests find them; digits become others.
 */
export function translatePages(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const MARK = '\u200b'
    const ORIGINAL_AFTER_MS = 50
    const UNTOUCHED = 'script,style,textarea,font,development-wallet,[translate="no"]'
    const translated = (text: string) =>
      text.replace(/\d/g, (digit) => `${9 - Number(digit)}`) + MARK
    /** What the translator has written itself. */
    const done = new WeakMap<Text, string>()
    const write = (text: Text, data: string) => {
      done.set(text, data)
      text.data = data
    }
    const wrap = (text: Text) => {
      const outer = document.createElement('font')
      outer.append(document.createElement('font'))
      outer.firstElementChild?.append(translated(text.data))
      text.replaceWith(outer)
      return outer
    }
    const ways: ((text: Text) => void)[] = [
      wrap,
      (text) => write(text, translated(text.data)),
      (text) => {
        const { data } = text
        const outer = wrap(text)
        setTimeout(() => {
          const original = new Text(data)
          done.set(original, data)
          outer.replaceWith(original)
        }, ORIGINAL_AFTER_MS)
      },
    ]
    let count = 0
    const translateText = (text: Text) => {
      if (!/\S/.test(text.data) || done.get(text) === text.data) return
      if (text.parentElement?.closest(UNTOUCHED) !== null) return
      ways[count % ways.length]?.(text)
      count += 1
    }
    const translate = (root: Node) => {
      if (root instanceof Text) return translateText(root)
      const texts: Text[] = []
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      while (walker.nextNode() !== null) texts.push(walker.currentNode as Text)
      texts.forEach(translateText)
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
