/** The price of a pair at one final block: USDT for one DCT, 8 decimals. */
export type PriceSample = { at: Date; price: bigint }

const BPS = 10_000n
/**
 * At least this fraction (1/2) of the window must be covered by samples, so that too few cannot decide; and one sample
 * counts for at most this fraction.
 */
const KNOWN_PART = 2

/**
 * The median of the prices within a window that ends now, each weighted by the time until the next sample: a price that
 * held for less than half of the window, however wrong, does not change the result.
 * @param samples oldest first
 * @returns undefined while samples cover less than half of the window
 */
export function windowPrice(
  samples: readonly PriceSample[],
  { now, windowMs }: { now: Date; windowMs: number },
): bigint | undefined {
  const begin = now.getTime() - windowMs
  const held = samples.map(({ at, price }, place) => {
    const next = samples[place + 1]?.at.getTime() ?? now.getTime()
    const until = Math.min(next, at.getTime() + windowMs / KNOWN_PART)
    return { price, ms: Math.max(0, until - Math.max(begin, at.getTime())) }
  })
  const knownMs = held.reduce((sum, { ms }) => sum + ms, 0)
  if (knownMs * KNOWN_PART < windowMs) return undefined
  let passed = 0
  for (const { price, ms } of held.toSorted((a, b) => (a.price < b.price ? -1 : 1))) {
    passed += ms
    if (passed * 2 >= knownMs) return price
  }
  return undefined
}

/** The price closest to `wanted` that is at most one step away from `from`. */
export function withinStep(wanted: bigint, from: bigint, stepBps: bigint): bigint {
  const room = (from * stepBps) / BPS
  if (wanted > from + room) return from + room
  return wanted < from - room ? from - room : wanted
}
