import { beforeEach } from 'vitest'
import { type ClaimsWorld, createClaimsWorld, givenMarket } from './claims.ts'
import { useTestDatabase, wipe } from './database.ts'
import { ManualClock } from './manual-clock.ts'
import { useWorld } from './use-world.ts'

const START = '2026-03-01T03:00:00Z'

/** The claim routes for the tests of a file. Each test starts at the same time, with only a price and a BSC head. */
export function useFreshClaims(maxConnections?: number): {
  world: ClaimsWorld
  clock: ManualClock
} {
  const clock = new ManualClock(START)
  const database = useTestDatabase(maxConnections)
  const world = useWorld(() => createClaimsWorld(database.db, clock))
  beforeEach(async () => {
    await wipe(database.db)
    clock.set(START)
    world.credited.length = 0
    world.actions.length = 0
    await givenMarket(world)
  })
  return { world, clock }
}
