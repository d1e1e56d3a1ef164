/**
 * `npm run chaos -- [--kills N] [--seed S] [--holders H]`: kills the server N times at random moments while holders
 * claim and pay and admins approve referral claims, then lets everything settle and checks what left the wallets.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { PLANS } from './chaos-holder.ts'
import {
  addHolders,
  type ChaosWorld,
  DAYS_OF_A_ROUND,
  finishEverything,
  runRound,
  startChaosWorld,
} from './chaos-world.ts'
import { advance, settle } from './devnet-time.ts'
import { killAtRandom } from './kill-at-random.ts'
import { createRandom } from './random.ts'
import { crashAfterFeeBump } from './rare-crashes.ts'
import { judge } from './verdict.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: `${Date.now() % 1_000_000}` },
    holders: { type: 'string', default: '8' },
  },
})
const kills = Number(values.kills)
const seed = Number(values.seed)
const holderCount = Number(values.holders)
if (!kills || !Number.isInteger(seed) || !holderCount)
  throw new Error('--kills and --holders must be positive, --seed a whole number')

async function run(world: ChaosWorld): Promise<boolean> {
  const startedAt = performance.now()
  await addHolders(world, holderCount)
  let isOver = false
  const life = (async () => {
    let rounds = 0
    while (!isOver) {
      await runRound(world)
      rounds += 1
    }
    return rounds
  })()
  const killing = killAtRandom(world, kills, (done) => {
    if (done % 10 === 0) console.log(`${done} kills, ${minutes(startedAt)}`)
  })
  // An error in the workload ends the run immediately; otherwise it lasts until all kills are done.
  await Promise.race([killing, life.then(() => killing)])
  isOver = true
  const rounds = await life
  console.log('Random kills done. Next: one kill after a fee bump, and one during a resume …')
  await crashInRareMoment(world)
  console.log('Waiting until everything has settled …')
  await finishEverything(world)
  return report(world, { rounds, startedAt })
}

/**
 * Kills the server in a rare moment, after a further week of paid fees that leaves referral rewards to claim.
 */
async function crashInRareMoment(world: ChaosWorld): Promise<void> {
  await finishEverything(world)
  await advance(world.infrastructure.url, DAYS_OF_A_ROUND)
  for (const holder of world.holders) {
    const fee = await holder.claim(PLANS[0].code, 'FULL')
    if (fee !== undefined) await holder.pay(fee, { submitsHash: true })
  }
  await settle(world.infrastructure.url)
  for (const holder of world.holders) await holder.claimBonus()
  await crashAfterFeeBump(world)
}

async function report(
  world: ChaosWorld,
  { rounds, startedAt }: { rounds: number; startedAt: number },
): Promise<boolean> {
  const verdict = await judge(world)
  const recoveries = world.server.recoveries().toSorted((a, b) => a - b)
  console.log(`
kills         ${kills}
rounds        ${rounds} (${world.holders.length} holders)
claims        ${verdict.claims}
fees settled  ${verdict.feesSettled}
payouts       ${verdict.payouts} of DCT, ${verdict.bonuses} of USDT
double        ${verdict.doubles}
lost          ${verdict.losses}
recovery      p50 ${quantile(recoveries, 0.5)} s, p99 ${quantile(recoveries, 0.99)} s
took          ${minutes(startedAt)}
`)
  const faults = [
    ...verdict.faults,
    ...(verdict.payouts === 0 ? ['no reward was paid, so the run proves nothing'] : []),
    ...(verdict.bonuses === 0 ? ['no referral claim was paid, so the run proves nothing'] : []),
  ]
  for (const fault of faults) console.error(`✘ ${fault}`)
  return faults.length === 0
}

function quantile(sorted: readonly number[], share: number): string {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return (value / 1_000).toFixed(2)
}

function minutes(since: number): string {
  return `${((performance.now() - since) / 60_000).toFixed(1)} min`
}

console.log(`seed ${seed} (--seed ${seed} repeats the same random choices)`)
const world = await startChaosWorld(createRandom(seed))
try {
  const isFine = await run(world)
  if (!isFine) console.error(world.server.output())
  process.exitCode = isFine ? 0 : 1
  if (isFine) console.log('Everything was paid exactly once.')
} finally {
  await world.stop()
}
// Open client connections would keep the process alive for a while.
await pause(0)
process.exit()
