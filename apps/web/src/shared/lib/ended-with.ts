/**
 * Waits for `work` until the signal is aborted, and then fails with `reason`, which gets the work that goes on. That
 * work's own failure is then nobody's, unless `reason` passes it on.
 */
export function endedWith<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason: (late: Promise<T>) => Error,
): Promise<T> {
  if (!signal) return work
  return new Promise((resolve, reject) => {
    const end = () => {
      // Nobody waits any more, so a failure is not an error of the page.
      work.catch(() => undefined)
      reject(reason(work))
    }
    if (signal.aborted) return end()
    signal.addEventListener('abort', end, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', end))
  })
}
