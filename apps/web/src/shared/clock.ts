/** The browser's own time: countdowns, the footer's year. Business time comes from the server. */
export const clock = {
  now: (): Date => new Date(),
}
