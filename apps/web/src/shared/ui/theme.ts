import { useSyncExternalStore } from 'react'
import { Listeners } from '../lib/listeners.ts'
import { deviceMemory } from '../storage/memory.ts'

export type Theme = 'dark' | 'light'

/** Also read by start.js before the first paint. */
const STORAGE_KEY = 'theme'
const listeners = new Listeners()

const readTheme = (): Theme =>
  document.documentElement.dataset.theme === 'light' ? 'light' : 'dark'

function chooseTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  deviceMemory.setItem(STORAGE_KEY, theme)
  listeners.call()
}

/** The current theme and a function to change it; the choice survives a reload. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  return [useSyncExternalStore(listeners.subscribe, readTheme), chooseTheme]
}
