import { clock } from '../clock.ts'
import { Listeners } from '../lib/listeners.ts'
import { type Memory, storedList } from '../lib/stored-list.ts'
import { deviceMemory } from '../storage/memory.ts'

/** A toast about money: it closes after three seconds, but it stays readable here. */
export type KeptToast = { at: string; text: string }

const KEPT = 50

/** Toasts about an account’s money in this browser, newest first; one list per account. */
export class KeptToasts {
  readonly #memory: Memory
  readonly #listeners = new Listeners()
  #owner: string | undefined
  #entries: readonly KeptToast[] = []

  constructor(memory: Memory) {
    this.#memory = memory
  }

  readonly get = (): readonly KeptToast[] => this.#entries

  readonly subscribe = this.#listeners.subscribe

  /** Sets whose list is shown and written to; undefined while no user is signed in. */
  setOwner(owner: string | undefined): void {
    if (owner === this.#owner) return
    this.#owner = owner
    this.#change(owner === undefined ? [] : storedList(this.#memory, keyOf(owner), isEntry))
  }

  add(text: string): void {
    if (this.#owner === undefined) return
    const entry = { at: clock.now().toISOString(), text }
    const entries = [entry, ...this.#entries].slice(0, KEPT)
    this.#memory.setItem(keyOf(this.#owner), JSON.stringify(entries))
    this.#change(entries)
  }

  #change(entries: readonly KeptToast[]): void {
    this.#entries = entries
    this.#listeners.call()
  }
}

function keyOf(owner: string): string {
  return `activity.${owner}`
}

function isEntry(value: unknown): value is KeptToast {
  const { at, text } = (value ?? {}) as Partial<KeptToast>
  return typeof at === 'string' && typeof text === 'string'
}

export const keptToasts = new KeptToasts(deviceMemory)
