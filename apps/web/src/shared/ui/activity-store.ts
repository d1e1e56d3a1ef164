import { clock } from '../clock.ts'

/** A message about money: its toast closes after three seconds, but it stays readable here. */
export type ActivityEntry = { at: string; text: string }

type Memory = Pick<Storage, 'getItem' | 'setItem'>

const KEPT = 50

/** Messages about an account's money in this browser, newest first; one list per account. */
export class ActivityStore {
  readonly #memory: Memory
  readonly #listeners = new Set<() => void>()
  #owner: string | undefined
  #entries: readonly ActivityEntry[] = []

  constructor(memory: Memory) {
    this.#memory = memory
  }

  readonly get = (): readonly ActivityEntry[] => this.#entries

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Sets whose list is shown and written to; undefined while no user is signed in. */
  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    this.#change(owner === undefined ? [] : this.#read(owner))
  }

  add(text: string): void {
    if (this.#owner === undefined) return
    const entry = { at: clock.now().toISOString(), text }
    const entries = [entry, ...this.#entries].slice(0, KEPT)
    this.#memory.setItem(keyOf(this.#owner), JSON.stringify(entries))
    this.#change(entries)
  }

  #change(entries: readonly ActivityEntry[]): void {
    this.#entries = entries
    for (const listener of this.#listeners) listener()
  }

  #read(owner: string): ActivityEntry[] {
    try {
      const stored: unknown = JSON.parse(this.#memory.getItem(keyOf(owner)) ?? '[]')
      return Array.isArray(stored) ? stored.filter(isEntry) : []
    } catch {
      return [] // unreadable entry; the service's histories still have everything
    }
  }
}

function keyOf(owner: string): string {
  return `activity.${owner}`
}

function isEntry(value: unknown): value is ActivityEntry {
  const { at, text } = (value ?? {}) as Partial<ActivityEntry>
  return typeof at === 'string' && typeof text === 'string'
}

export const activityStore = new ActivityStore(globalThis.localStorage)
