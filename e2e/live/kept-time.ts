/** How long, in milliseconds, a process with moved time caches the offset that it read from the file. */
export const KEPT_FOR_MS = 2
