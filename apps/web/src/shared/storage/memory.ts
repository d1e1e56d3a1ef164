import { Listeners } from '../lib/listeners.ts'

/** The part of a `Storage` that is needed to remember something. */
export type Memory = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

const PROBE = 'storageProbe'

/**
 * A browser's storage that never fails. Storage may be blocked, absent, full, or silently discard what is written;
 * whatever it does not take is kept here, for as long as this page is open.
 */
export class LastingMemory implements Memory {
  readonly #storage: () => Storage | null | undefined
  readonly #listeners = new Listeners()
  /** What the storage did not take; null for an entry that it did not remove. */
  readonly #unkept = new Map<string, string | null>()
  #isProbed = false
  #takesWrites = true
  #hearsOthers = false

  /** @param storage looks the storage up; nothing does so before the first use, since even that may throw */
  constructor(storage: () => Storage | null | undefined) {
    this.#storage = storage
  }

  getItem(key: string): string | null {
    this.#hearOthers()
    const unkept = this.#unkept.get(key)
    return unkept !== undefined ? unkept : this.#read(key)
  }

  setItem(key: string, value: string): void {
    this.#hearOthers()
    const isKept = this.#write(key, value)
    this.#change(() => (isKept ? this.#unkept.delete(key) : this.#unkept.set(key, value)))
  }

  removeItem(key: string): void {
    this.#hearOthers()
    try {
      this.#storage()?.removeItem(key)
    } catch {
      // What is still there afterwards is hidden below.
    }
    const isGone = this.#read(key) === null
    this.#change(() => (isGone ? this.#unkept.delete(key) : this.#unkept.set(key, null)))
  }

  /** Whether everything written so far survives a reload, and anything else probably would. */
  readonly isLasting = (): boolean => {
    if (!this.#isProbed) {
      this.#isProbed = true
      this.#takesWrites = this.#write(PROBE, PROBE)
      this.removeItem(PROBE)
    }
    return this.#takesWrites && this.#unkept.size === 0
  }

  /** Subscribes to changes of `isLasting`. */
  readonly subscribe = this.#listeners.subscribe

  #read(key: string): string | null {
    try {
      const value: unknown = this.#storage()?.getItem(key)
      return typeof value === 'string' ? value : null
    } catch {
      return null
    }
  }

  #write(key: string, value: string): boolean {
    try {
      this.#storage()?.setItem(key, value)
    } catch {
      return false
    }
    const isKept = this.#read(key) === value
    if (isKept) this.#takesWrites = true
    return isKept
  }

  #change(change: () => unknown): void {
    const before = this.#unkept.size
    change()
    if ((before === 0) !== (this.#unkept.size === 0)) this.#listeners.call()
  }

  /** What another tab writes is newer than what is kept here. */
  #hearOthers(): void {
    if (this.#hearsOthers) return
    this.#hearsOthers = true
    globalThis.addEventListener?.('storage', ({ key }) => {
      this.#change(() => (key === null ? this.#unkept.clear() : this.#unkept.delete(key)))
    })
  }
}

/** Shared by all tabs of this browser, and kept when it is closed. */
export const deviceMemory = new LastingMemory(() => globalThis.localStorage)

/** This tab's own; survives a reload. */
export const tabMemory = new LastingMemory(() => globalThis.sessionStorage)
