/** Lets only one tab of this device work on a step. */
export type StepLock = {
  /** Does the work unless another tab is doing some under the same name. */
  alone<T>(
    name: string,
    work: () => Promise<T>,
  ): Promise<{ isFree: true; value: T } | { isFree: false }>
  /** Whether `alone` covers all tabs, not only this one. */
  coversTabs: boolean
}

/**
 * By the browser's own locks, which end with the tab that holds them. Browsers without them or that refuse them, and sites
 * without https, are left with this page's: there, the service alone keeps other tabs from asking at the same time.
 */
export function browserLock(locks: LockManager | undefined): StepLock {
  return locks === undefined ? pageLock() : lockBy(locks)
}

function lockBy(locks: LockManager): StepLock {
  const ofPage = pageLock()
  let isRefused = false
  return {
    get coversTabs() {
      return !isRefused
    },
    async alone(name, work) {
      let hasAnswered = false
      try {
        return await locks.request(`money-step:${name}`, { ifAvailable: true }, async (lock) => {
          hasAnswered = true
          return lock === null ? { isFree: false } : { isFree: true, value: await work() }
        })
      } catch (error) {
        if (hasAnswered) throw error
        // A browser that blocks storage refuses locks, too.
        isRefused = true
        return ofPage.alone(name, work)
      }
    },
  }
}

function pageLock(): StepLock {
  const held = new Set<string>()
  return {
    coversTabs: false,
    async alone(name, work) {
      if (held.has(name)) return { isFree: false }
      held.add(name)
      try {
        return { isFree: true, value: await work() }
      } finally {
        held.delete(name)
      }
    },
  }
}
