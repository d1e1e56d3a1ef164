import { type Memory, storedList } from '../../shared/lib/stored-list.ts'

const KEY = 'shownJoins'
/** Older ones were decided long ago. */
const KEPT = 20

/**
 * Remembers for which joins the overlay was opened on this device. It opens automatically in only one tab; reloading
 * that tab reopens it, unless the user has closed it.
 */
export class ShownJoins {
  readonly #device: Memory
  readonly #tab: Memory
  constructor(device: Memory, tab: Memory) {
    this.#device = device
    this.#tab = tab
  }

  mayOpen(hash: string): boolean {
    return !read(this.#device).includes(hash) || read(this.#tab).includes(hash)
  }

  opened(hash: string): void {
    add(this.#device, hash)
    add(this.#tab, hash)
  }

  /** Call it once the overlay is closed, the join's outcome is known, or another part of this page shows it. */
  keepClosed(hash: string): void {
    add(this.#device, hash)
    write(
      this.#tab,
      read(this.#tab).filter((one) => one !== hash),
    )
  }
}

function add(memory: Memory, hash: string): void {
  const others = read(memory).filter((one) => one !== hash)
  write(memory, [...others, hash].slice(-KEPT))
}

function read(memory: Memory): string[] {
  return storedList(memory, KEY, (one) => typeof one === 'string')
}

function write(memory: Memory, hashes: string[]): void {
  memory.setItem(KEY, JSON.stringify(hashes))
}
