/** Runs tasks one at a time, in the order of the calls. */
export type Mutex = { run<T>(task: () => Promise<T>): Promise<T> }

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run<T>(task: () => Promise<T>): Promise<T> {
      const result = last.then(task)
      // The next task waits for the end of this one, even if it fails.
      last = result.catch(() => {})
      return result
    },
  }
}
