/** The energy that the operator must be able to pay for, as a multiple of the energy that the simulation used. */
const ENERGY_AT_HAND = 2n
/** Bandwidth is counted in bytes; the largest call is below 500 bytes. */
const BANDWIDTH_OF_A_CALL = 700n

type Means = {
  /** Of stake, less than nothing is left once part of it was withdrawn after its energy had been used. */
  resources: { sun: bigint; energy: bigint; bandwidth: bigint }
  prices: { energySun: bigint; bandwidthSun: bigint }
}

/**
 * Describes what the operator lacks to pay for this many calls, those in flight included, assuming they cost the same;
 * undefined when it lacks nothing.
 */
export function lackOf(
  { resources, prices }: Means,
  { energy, count }: { energy: bigint; count: number },
): string | undefined {
  const calls = BigInt(count)
  const missingEnergy = notNegative(energy * ENERGY_AT_HAND * calls - notNegative(resources.energy))
  const hasBandwidth = resources.bandwidth >= BANDWIDTH_OF_A_CALL * calls
  const missingBandwidth = hasBandwidth ? 0n : BANDWIDTH_OF_A_CALL * calls
  const sun = missingEnergy * prices.energySun + missingBandwidth * prices.bandwidthSun
  return sun > resources.sun ? `${sun} sun is needed, the balance is ${resources.sun}.` : undefined
}

function notNegative(value: bigint): bigint {
  return value < 0n ? 0n : value
}
