/** Calls `task` at the start of every second of the chains' time, never concurrently. */
export function startTicker(options: {
  nowMs: () => number
  task: () => Promise<void>
  onError: (error: unknown) => void
}): { stop(): Promise<void> } {
  const { nowMs, task, onError } = options
  let isStopped = false
  let running: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  const schedule = () => {
    if (isStopped) return
    timer = setTimeout(
      () => {
        running = task().catch(onError).finally(schedule)
      },
      1_000 - (nowMs() % 1_000),
    )
  }
  schedule()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
