export { bytesOf, hexOf } from './bytes.ts'
export type { ChainFacts } from './chain.queries.ts'
export {
  chainFacts,
  chainFactsOf,
  eventsOfTransactions,
  headNumberOf,
  isHalted,
  provenTime,
} from './chain.queries.ts'
export type { ChainName, OwnAddressRole } from './chain.tables.ts'
export type { ChainEvent, Stream } from './chain-event.ts'
export {
  type CompletenessDeps,
  createCompletenessLoop,
  type Figure,
  type Tally,
} from './completeness.ts'
export { describeChanges } from './describe-changes.ts'
export { endHalt, type HaltDeps, type HaltReview, inspectHalt } from './end-halt.ts'
export { type OwnAddresses, ownAddresses, recordOwnAddresses } from './own-addresses.queries.ts'
export { createWatcher, type Watcher, type WatcherDeps } from './watcher.ts'
