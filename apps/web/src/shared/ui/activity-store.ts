import { clock } from '../clock.ts'

/** Something about money that was shown for three seconds and stays readable here. */
export type ActivityEntry = { at: string; text: string }

type Memory = Pick<Storage, 'getItem' | 'setItem'>

const KEPT = 50

/** What happened with an account's money in this browser, newest first; of several accounts one list each. */
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

  /** Whose list is shown and written to; nobody's while nobody is signed in. */
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
      return [] // somebody else wrote there; the histories of the service still tell everything
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
