import type { LapsedCycles } from '@dct/rules/cycles'

const RANGE = /\[(\d+),(\d*)\)/g

/** Reads `earning.lapsed`, such as `{[34,41),[60,)}`. */
export function readLapsedCycles(multirange: string): LapsedCycles[] {
  return [...multirange.matchAll(RANGE)].map(([, first, before]) => ({
    first: Number(first),
    last: before === '' ? null : Number(before) - 1,
  }))
}
