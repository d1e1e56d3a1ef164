/** The browser's clock, for countdowns and the footer's year. Business time comes from the server. */
export const clock = {
  now: (): Date => new Date(),
}
