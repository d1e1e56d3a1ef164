import { afterAll, beforeAll, expect, test } from 'vitest'
import { addHolders, type ChaosWorld, startChaosWorld } from '../chaos/chaos-world.ts'
import { createRandom } from '../chaos/random.ts'
import { REHEARSALS, rehearse } from './rehearsals.ts'

const PATIENCE_MS = 900_000
const HOLDERS = 3
const SEED = 20_261_122

let world: ChaosWorld

beforeAll(async () => {
  world = await startChaosWorld(createRandom(SEED))
  await addHolders(world, HOLDERS)
}, PATIENCE_MS)
afterAll(() => world?.stop(), PATIENCE_MS)

test.each(Object.entries(REHEARSALS))(
  'under load %s, and everything is paid exactly once',
  async (_name, rehearsal) => {
    const { doubles, losses, faults } = await rehearse(world, rehearsal)
    expect({ doubles, losses, faults }).toEqual({ doubles: 0, losses: 0, faults: [] })
  },
  PATIENCE_MS,
)
