import { AsyncLocalStorage } from 'node:async_hooks'

/** Who is at the other end of the call that is being answered. */
export type Caller = { ip: string }

const callers = new AsyncLocalStorage<Caller>()

/** Everything that follows in this call knows its caller. */
export function enterCall(caller: Caller): void {
  callers.enterWith(caller)
}

/** The caller of the call at hand; undefined in jobs and commands. */
export function currentCaller(): Caller | undefined {
  return callers.getStore()
}
