/** Runs tasks one after the other, in the order in which they asked. */
export type Mutex = { run<T>(task: () => Promise<T>): Promise<T> }

export function createMutex(): Mutex {
  let last: Promise<unknown> = Promise.resolve()
  return {
    run<T>(task: () => Promise<T>): Promise<T> {
      const result = last.then(task)
      // The next one waits for the end of this one, however it ended.
      last = result.catch(() => {})
      return result
    },
  }
}
