import { useSyncExternalStore } from 'react'
import { Listeners } from '../lib/listeners.ts'

const listeners = new Listeners()
let seconds = 0

/** Notes how old the data of an answer may be; the service states it where it may read from a copy of its database. */
export function noteReportAge({ headers }: Response): void {
  const stated = headers.get('data-age')
  if (stated === null || stated === `${seconds}`) return
  seconds = Number(stated) || 0
  listeners.call()
}

/** How old the lists and statistics of admins may be, in seconds; 0 while they come from the database itself. */
export function reportAge(): number {
  return seconds
}

/** `reportAge` as a hook. */
export function useReportAge(): number {
  return useSyncExternalStore(listeners.subscribe, reportAge)
}
