import { Listeners } from '../lib/listeners.ts'
import { keptToasts } from './kept-toasts.ts'

type ToastTone = 'success' | 'error' | 'warning' | 'info'
export type ToastItem = { id: number; tone: ToastTone; text: string }

const listeners = new Listeners()
let items: readonly ToastItem[] = []
let lastId = 0

/** Short messages at the top right. Showing a text again replaces its previous toast. */
export const toast = {
  success: (text: string) => add('success', text),
  error: (text: string) => add('error', text),
  warning: (text: string) => add('warning', text),
  info: (text: string) => add('info', text),
  /** The service's answer to an action that may still need another person: only a completed action is a success. */
  outcome: (text: string, { isDone }: { isDone: boolean }) =>
    add(isDone ? 'success' : 'warning', text),
  /** A success with money, which is also added to the activity list. */
  money(text: string): void {
    keptToasts.add(text)
    add('success', text)
  },
}

export const toastStore = {
  get: (): readonly ToastItem[] => items,
  subscribe: listeners.subscribe,
  dismiss(id: number): void {
    change(items.filter((item) => item.id !== id))
  },
}

function add(tone: ToastTone, text: string): void {
  lastId += 1
  change([...items.filter((item) => item.text !== text), { id: lastId, tone, text }])
}

function change(next: readonly ToastItem[]): void {
  items = next
  listeners.call()
}
