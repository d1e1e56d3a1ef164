import { AsyncLocalStorage } from 'node:async_hooks'

/** The caller of the current request. */
export type Caller = { ip: string }

const callers = new AsyncLocalStorage<Caller>()

/** Sets the caller for everything that follows in this request. */
export function enterCall(caller: Caller): void {
  callers.enterWith(caller)
}

/** The caller of the current request; undefined in jobs and commands. */
export function currentCaller(): Caller | undefined {
  return callers.getStore()
}
