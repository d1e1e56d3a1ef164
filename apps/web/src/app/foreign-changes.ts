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
  const { appendChild, insertBefore, removeChild } = Node.prototype
  /** The elements that the page shows, as far as the page knows. */
  const shown = new WeakSet<Node>()

  Node.prototype.removeChild = function <T extends Node>(this: Node, child: T): T {
    shown.delete(child)
    const parent = child.parentNode
    if (parent === this || !(child instanceof Node)) return removeChild.call(this, child) as T
    // Moved or wrapped: what the page removes is to be seen nowhere.
    if (parent !== null) removeChild.call(parent, child)
    else onLost()
    return child
  }
  Node.prototype.appendChild = function <T extends Node>(this: Node, node: T): T {
    shown.add(node)
    return appendChild.call(this, node) as T
  }
  Node.prototype.insertBefore = function <T extends Node>(
    this: Node,
    node: T,
    next: Node | null,
  ): T {
    shown.add(node)
    if (next === null || next.parentNode === this) return insertBefore.call(this, node, next) as T
    const place = childAround(this, next)
    if (place === null) onLost()
    return insertBefore.call(this, node, place) as T
  }

  // Extensions have methods of their own, in a world of their own: what they remove, the page did not.
  const observer = new MutationObserver((records) => {
    const isLost = records
      .flatMap(({ removedNodes }) => [...removedNodes])
      .some((node) => !node.isConnected && shown.has(node) && node instanceof Element)
    if (isLost) onLost()
  })
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    Object.assign(Node.prototype, { appendChild, insertBefore, removeChild })
  }
}

/** The child of a parent that contains a node; null if none does. */
function childAround(parent: Node, node: Node): Node | null {
  let place: Node | null = node
  while (place !== null && place.parentNode !== parent) place = place.parentNode
  return place
}
