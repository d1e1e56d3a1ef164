export { keepTypedTexts } from './typed-texts.ts'

/**
 * Browser extensions, password managers and reading aids move, wrap, replace and remove elements of the page. React
 * knows nothing of that: its next step beside such an element throws, and the whole page is gone. Here its two steps
 * are done where the element is now, and the page is told of elements that are gone although React shows them.
 */
type Watch = {
  /** What React renders into. */
  root: Element
  /** Called after an element was lost. What stands in its place is nobody's, and nothing changes or hears it any more. */
  onLost(): void
}

/** @returns a function that stops it */
export function surviveForeignChanges({ root, onLost }: Watch): () => void {
  const { insertBefore, removeChild } = Node.prototype
  /** What React has removed itself. */
  const removed = new WeakSet<Node>()

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    const parent = child.parentNode
    if (!isReacts(child)) return removeChild.call(this, child) as T
    removed.add(child)
    // Moved or wrapped: what the page removes is to be seen nowhere.
    if (parent !== null) removeChild.call(parent, child)
    else onLost()
    return child
  }
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    next: Node | null,
  ): T {
    const isMoved = next !== null && next.parentNode !== this && isReacts(next)
    if (!isMoved) return insertBefore.call(this, node, next) as T
    const place = childAround(this, next)
    if (place === null) onLost()
    return insertBefore.call(this, node, place) as T
  }

  const isLost = (node: Node) =>
    node instanceof Element &&
    !node.isConnected &&
    isReacts(node) &&
    !removed.has(node.getRootNode())
  // Extensions have methods of their own, in a world of their own: what they remove, the page did not.
  const observer = new MutationObserver((records) => {
    const gone = records.flatMap(({ removedNodes }) => [...removedNodes])
    if (!root.isConnected || gone.some(isLost)) onLost()
  })
  // Dialogs stand beside the root.
  observer.observe(document.body, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    Object.assign(Node.prototype, { insertBefore, removeChild })
  }
}

/**
 * Whether React renders a node; it marks those so. Other code of the page, such as a wallet's, may remove elements of
 * its own twice, and must get the browser's answer without any consequence for the page.
 */
function isReacts(node: Node): boolean {
  return Object.keys(node).some((key) => key.startsWith('__reactFiber$'))
}

/** The child of a parent that contains a node; null if none does. */
function childAround(parent: Node, node: Node): Node | null {
  let place: Node | null = node
  while (place !== null && place.parentNode !== parent) place = place.parentNode
  return place
}
