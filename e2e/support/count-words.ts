/** What one screen asks of a person. */
export type Reading = {
  /** The words in view when it opens. */
  first: number
  /** All its words, scrolled to the end. */
  whole: number
  /** Everything that can be pressed or filled in. */
  controls: number
  /** How many screens high it is. */
  screens: number
}

/**
 * Counts the page's words and controls, or those of the dialog that covers it. Runs in the browser. A word has a letter,
 * so figures are none, but their units are. Toasts and the development panel are left out, and so is what only screen
 * readers hear.
 */
export function readScreen(): Reading {
  const view = { width: window.innerWidth, height: window.innerHeight }
  const dialogs = [...document.querySelectorAll('[data-holds-page] [role="dialog"]')]
  const dialog = dialogs.at(-1)
  const root = dialog ?? document.body
  const isShown = (element: Element) =>
    element.closest('.toasts, .visually-hidden, select') === null &&
    (dialog?.contains(element) || element.closest('#root') !== null) &&
    element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  const inView = ({ top, bottom, left, right, width, height }: DOMRect) =>
    width > 0 &&
    height > 0 &&
    bottom > 1 &&
    right > 1 &&
    top < view.height - 1 &&
    left < view.width - 1

  // Bars that stay in place cover some of the page.
  const isOnTop = ({ left, top, width, height }: DOMRect, element: Element) => {
    const there = document.elementFromPoint(left + width / 2, top + height / 2)
    return there === null || there.contains(element) || element.contains(there)
  }

  const reading: Reading = { first: 0, whole: 0, controls: 0, screens: 0 }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const parent = node.parentElement
    if (!parent || !isShown(parent)) continue
    for (const match of (node.textContent ?? '').matchAll(/\S*\p{L}\S*/gu)) {
      const range = document.createRange()
      range.setStart(node, match.index)
      range.setEnd(node, match.index + match[0].length)
      const box = range.getBoundingClientRect()
      if (box.width === 0) continue
      reading.whole += 1
      if (inView(box) && isOnTop(box, parent)) reading.first += 1
    }
  }
  const pressable = 'a[href], button, input, select, textarea, summary'
  const isChoice = (element: Element) => element.matches('select') && element.checkVisibility()
  reading.controls = [...root.querySelectorAll(pressable)].filter(
    (element) => isChoice(element) || isShown(element),
  ).length
  const body = dialog?.querySelector('.dialog__body')
  const hidden = body ? body.scrollHeight - body.clientHeight : 0
  const height = dialog
    ? dialog.getBoundingClientRect().height + hidden
    : document.documentElement.scrollHeight
  reading.screens = Math.round((height / view.height) * 10) / 10
  return reading
}
