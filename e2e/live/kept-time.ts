/** How long a process with moved time keeps what it read. */
export const KEPT_FOR_MS = 2
