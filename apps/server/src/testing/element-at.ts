/**
 * Returns an element that must exist, so that a test about it fails if it is missing instead of skipping it.
 *
 * @throws RangeError if the list has no such element
 */
export function elementAt<T>(list: readonly T[], index: number): T {
  const element = list.at(index)
  if (element === undefined) throw new RangeError(`No element ${index} of ${list.length}`)
  return element
}
