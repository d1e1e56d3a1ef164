import { createHash } from 'node:crypto'
import { hexOf } from './bytes.ts'
import type { HaltChanges, ShownEvent } from './chain.tables.ts'
import type { ChainEvent } from './chain-event.ts'
import type { StreamEvent } from './collect-events.ts'

/** Compares the booked events of a range with those that the chain shows now. */
export function compareEvents(
  known: readonly ChainEvent[],
  found: readonly StreamEvent[],
): Pick<HaltChanges, 'added' | 'changed' | 'moved'> & { gone: ChainEvent[] } {
  const knownByKey = new Map(known.map((event) => [keyOf(event), event]))
  const foundByKey = new Map(found.map(({ event }) => [keyOf(event), event]))
  const both = [...foundByKey].flatMap(([key, now]) => {
    const before = knownByKey.get(key)
    return before === undefined ? [] : [{ before, now }]
  })
  return {
    gone: known.filter((event) => !foundByKey.has(keyOf(event))),
    added: found
      .filter(({ event }) => !knownByKey.has(keyOf(event)))
      .map(({ event }) => show(event)),
    changed: both
      .filter(({ before, now }) => !hasSameContent(before, now))
      .map(({ now }) => show(now)),
    moved: both.filter(({ before, now }) => !before.blockHash.equals(now.blockHash)).length,
  }
}

/** Identifies exactly these changes, so that an admin's approval covers no others. */
export function digestOf(changes: HaltChanges): string {
  return createHash('sha256').update(JSON.stringify(changes)).digest('hex')
}

export function keyOf(event: ChainEvent): string {
  return `${hexOf(event.txHash)}:${event.logIndex}`
}

function hasSameContent(a: ChainEvent, b: ChainEvent): boolean {
  const canonical = ({ name, address, args }: ChainEvent) =>
    JSON.stringify([name, hexOf(address), Object.entries(args).toSorted()])
  return canonical(a) === canonical(b)
}

export function show(event: ChainEvent): ShownEvent {
  return {
    name: event.name,
    txHash: hexOf(event.txHash),
    logIndex: event.logIndex,
    block: `${event.blockNumber}`,
    args: event.args,
  }
}
