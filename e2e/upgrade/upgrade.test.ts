import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startGuarded } from '@dct/local-services'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { VERSION } from '../../apps/server/src/platform/version.ts'
import { readLastRelease, writeRelease } from '../../tools/releases/archive.ts'
import { bundleServer } from '../../tools/releases/bundle-server.ts'
import { nextMinor } from '../../tools/releases/versions.ts'
import type { ChaosHolder } from '../chaos/chaos-holder.ts'
import { approveBonuses, referralCodeOf } from '../chaos/chaos-world.ts'
import { CHAINS, untilSigned } from '../chaos/payouts.ts'
import { until } from '../chaos/until.ts'
import { judge } from '../chaos/verdict.ts'
import {
  areEarning,
  claimed,
  createPlans,
  setPrice,
  untilNoAlarm,
  untilPaid,
} from '../live/live-acts.ts'
import type { LiveProcess } from '../live/live-processes.ts'
import { type LiveWorld, startLiveWorld } from '../live/live-world.ts'
import type { Program } from '../support/program.ts'
import { BREAKING, HARMLESS, withSteps } from './planted-migrations.ts'
import { createWitness, startReading } from './witness.ts'

const PATIENCE_MS = 300_000
const MINUTE_MS = 60_000
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS

const dir = mkdtempSync(join(tmpdir(), 'dct-upgrade-'))
const witness = createWitness()
/** Before the first release, this version stands in for it: then the test shows that versions can run side by side. */
const released = readLastRelease() ?? { version: VERSION, files: await bundleServer(VERSION) }
const next = { version: nextMinor(released.version), files: new Map<string, string>() }
let world: LiveWorld

/** Writes a version to a folder from which its programs can be run. */
function install(name: string, files: ReadonlyMap<string, string>): Program {
  const folder = join(dir, name)
  writeRelease(files, folder)
  return { folder, fileOf: (program) => `server/${program}.js` }
}

async function migrate({ folder, fileOf }: Program): Promise<void> {
  const lines: string[] = []
  const { exited } = startGuarded({
    command: process.execPath,
    args: [fileOf('migrate')],
    cwd: folder,
    env: world.infrastructure.serverEnv,
    onOutput: (line) => lines.push(line),
  })
  const { code } = await exited
  if (code !== 0) throw new Error(`the migration failed:\n${lines.join('\n')}`)
}

/** One process of each kind: the first (0) or the second (1). */
function processesAt(index: 0 | 1): LiveProcess[] {
  return Object.values(world.processes).map((pair) => pair[index])
}

/** Everything that has gone wrong in requests and processes since the beginning. */
function troubles(): string[] {
  return [
    ...witness.failures,
    ...[...processesAt(0), ...processesAt(1)].flatMap((one) => one.errors()),
  ]
}

async function passAWeek(): Promise<void> {
  await world.pass(WEEK_MS)
  await setPrice(world)
  for (const { client } of world.holders) await client.login()
}

/** Has a new holder join, referred by another one. */
async function newHolder(referrer?: ChaosHolder): Promise<ChaosHolder> {
  return world.join(referrer && (await referralCodeOf(referrer)))
}

async function untilEarning(holder: ChaosHolder): Promise<void> {
  await world.waitUntil('the stakes are booked as earnings', () => areEarning(holder))
}

/** The last release starts the service and fills it with data: paid and open claims, and a referral reward. */
beforeAll(async () => {
  const former = install('former', released.files)
  world = await startLiveWorld({ program: former, each: 1, User: witness.User })
  await setPrice(world)
  await createPlans(world)
  const holder = await newHolder(await newHolder())
  await untilEarning(await newHolder(holder))
  await passAWeek()
  const fee = await claimed(world, holder, { plan: 'PLAN-360', kind: 'HALF' })
  await holder.pay(fee, { submitsHash: true })
  await untilPaid(world, holder, { fee, part: 'rest' })
  next.files = withSteps(await bundleServer(next.version), next.version, HARMLESS)
}, PATIENCE_MS)

afterAll(async () => {
  await world?.stop()
  rmSync(dir, { recursive: true, force: true })
}, PATIENCE_MS)

test(
  '[T095] the last release and the next version run side by side under load, and everything is paid once',
  async () => {
    const { processes, chains, holders } = world
    const [referrer, holder, other] = holders as [ChaosHolder, ChaosHolder, ChaosHolder]
    const open = await claimed(world, other, { plan: 'PLAN-720', kind: 'FULL' })
    await passAWeek()
    const reading = startReading(world)

    // The previous version has signed payouts on both chains, which are not in a block yet.
    await chains.control.pauseMining()
    const half = await claimed(world, holder, { plan: 'PLAN-360', kind: 'HALF' })
    expect(await referrer.claimBonus()).toBe(true)
    await approveBonuses(world)
    for (const chain of CHAINS) await untilSigned(world, chain)
    const after = install('next', next.files)
    expect(await witness.versions(1)).toEqual([released.version])

    // The previous version continues with the next one's schema, and can even start with it.
    await migrate(after)
    await processes.worker[0].kill()
    await processes.worker[0].start(install('former', released.files))
    const late = await claimed(world, other, { plan: 'PLAN-360', kind: 'HALF' })
    expect(await witness.versions(1)).toEqual([released.version])

    // Both versions finish the payouts in flight, and serve old claims and new holders.
    await Promise.all(processesAt(1).map((one) => one.start(after)))
    await chains.control.resumeMining()
    await other.pay(open, { submitsHash: false })
    await untilPaid(world, holder, { fee: half, part: 'first' })
    await untilPaid(world, other, { fee: open, part: 'rest' })
    await untilEarning(await newHolder(other))
    expect(await witness.versions(2)).toEqual([released.version, next.version])

    await Promise.all(processesAt(0).map((one) => one.stop()))
    // Discards the versions seen so far: the previous one may have answered until now.
    await witness.versions(0)
    await holder.pay(half, { submitsHash: true })
    await other.pay(late, { submitsHash: true })
    for (const [who, fee] of [
      [holder, half],
      [other, late],
    ] as const)
      await untilPaid(world, who, { fee, part: 'rest' })
    await world.waitUntil('the referral reward is paid', async () =>
      (await referrer.bonuses()).every(({ state }) => state === 'paid'),
    )
    expect(await witness.versions(1)).toEqual([next.version])

    expect(await reading.stop()).toBeGreaterThan(0)
    expect(troubles()).toEqual([])
    await world.pass(11 * MINUTE_MS)
    await world.catchUp()
    await untilNoAlarm(world)
    const { doubles, losses, faults } = await judge({ ...world, program: after })
    expect({ doubles, losses, faults }).toEqual({ doubles: 0, losses: 0, faults: [] })
  },
  PATIENCE_MS,
)

test(
  '[T095] a migration that the previous version cannot work with is detected in its responses and its log',
  async () => {
    expect(troubles()).toEqual([])
    const reading = startReading(world)
    const files = withSteps(next.files, nextMinor(next.version), BREAKING)
    await migrate(install('breaking', files))
    await until('calls fail', async () => witness.failures.length > 3)
    await reading.stop()
    const found = troubles()
    expect(found.find((trouble) => trouble.startsWith('GET'))).toContain(': 500 ')
    expect(found.find((trouble) => trouble.startsWith('{'))).toContain('code_claim')
  },
  PATIENCE_MS,
)
