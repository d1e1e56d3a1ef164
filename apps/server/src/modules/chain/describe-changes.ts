import type { ShownEvent } from './chain.tables.ts'
import type { HaltReview } from './end-halt.ts'

/** Describes a halt and its changes for a terminal. */
export function describeChanges({ halt, changes }: HaltReview): string {
  const { undone, added, changed, moved } = changes
  const isBack = changes.hash === halt.expectedHash
  return [
    `Block ${halt.blockNumber} was final as ${halt.expectedHash}`,
    `and was found as ${halt.foundHash} at ${halt.haltedAt.toISOString()}.`,
    isBack
      ? 'The booked block is back; nothing has changed.'
      : `It is ${changes.hash} now. Blocks ${changes.from} to ${changes.to} were read again:`,
    ...list(
      'no longer on chain (payments are made again, anything else stays booked with an alarm)',
      undone,
    ),
    ...list('new on chain (will be booked)', added),
    ...list('on chain with different content (stays booked as it was, with an alarm)', changed),
    ...(moved > 0 ? [`${moved} booked events are in other blocks now.`] : []),
    ...(!isBack && undone.length + added.length + changed.length === 0
      ? ['The chain has exactly the booked events.']
      : []),
  ].join('\n')
}

function list(what: string, events: readonly ShownEvent[]): string[] {
  if (events.length === 0) return []
  const lines = events.map(({ name, txHash, logIndex, block, args }) => {
    const values = Object.entries(args).map(([key, value]) => `${key}=${value}`)
    return `  ${name} in ${txHash}, log ${logIndex}, block ${block}: ${values.join(' ')}`
  })
  return [`${events.length} ${what}:`, ...lines]
}
