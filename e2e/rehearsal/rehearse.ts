/**
 * `npm run rehearse`, or `npm run rehearse -- PATTERN` for those whose name it matches: performs the rare operations one
 * after the other while holders claim and pay, and checks after each what left the wallets. Exits with status 1 at the
 * first fault. `npm run rehearse -- operation` performs what the documents for operators describe, with real parts;
 * a further PATTERN names some of them.
 */
import { addHolders, startChaosWorld } from '../chaos/chaos-world.ts'
import { createRandom } from '../chaos/random.ts'
import { REHEARSALS, rehearse } from './rehearsals.ts'

if (process.argv[2] === 'operation') {
  const { rehearseOperation } = await import('./operation.ts')
  process.exit((await rehearseOperation(process.argv[3])) ? 0 : 1)
}

const HOLDERS = 5
const SEED = 20_261_122

const world = await startChaosWorld(createRandom(SEED))
try {
  await addHolders(world, HOLDERS)
  for (const [name, rehearsal] of Object.entries(REHEARSALS)) {
    if (!new RegExp(process.argv[2] ?? '').test(name)) continue
    const startedAt = performance.now()
    const { payouts, bonuses, doubles, losses, faults } = await rehearse(world, rehearsal)
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0)
    const counts = `${payouts} DCT and ${bonuses} USDT payouts so far, ${doubles} double, ${losses} lost`
    console.log(`${faults.length === 0 ? '✔' : '✘'} ${name}: ${counts}, ${seconds} s`)
    for (const fault of faults) console.error(`  ${fault}`)
    if (faults.length > 0) {
      console.error(world.server.output())
      process.exitCode = 1
      break
    }
  }
} finally {
  await world.stop()
}
// Open client connections would keep the process alive for a while.
process.exit()
