const LOOK_EVERY_MS = 200
const LOOKS = 15

/**
 * Looks until it sees something, for three seconds: what wallets show right after a change may be late.
 * @returns what the last look saw
 */
export async function lookAgain<T>(look: () => Promise<T>): Promise<T> {
  for (let left = LOOKS; ; left--) {
    const seen = await look()
    if (seen || left === 0) return seen
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }
}
