import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startChainHost } from '@dct/devnet/chains/index'
import { startUntilReady } from '@dct/local-services/ready-process'
import { portForLater } from '@dct/local-services/testing/port-for-later'
import type { ChaosHolder } from '../chaos/chaos-holder.ts'
import { referralCodeOf } from '../chaos/chaos-world.ts'
import { judge } from '../chaos/verdict.ts'
import {
  areEarning,
  claimed,
  createPlans,
  setPrice,
  untilNoAlarm,
  untilPaid,
} from '../live/live-acts.ts'
import { type LiveWorld, startLiveWorld } from '../live/live-world.ts'
import { ROOT, until } from './operation-commands.ts'
import { documentedSettings } from './operation-documents.ts'

const DAY_MS = 86_400_000
const PLAN = 'PLAN-360'

type Pooler = { url: string; stop(): Promise<void> }

/** As docs/failover.md states them. */
const DOCUMENTED = documentedSettings('../failover.md', '[pgbouncer]')

/** The whole way to a paid claim, with every process behind PgBouncer. @returns what was paid */
export async function runBehindPooler(folder: string): Promise<string> {
  const poolers: Pooler[] = []
  const behind = async (databaseUrl: string, settings: string) => {
    const pooler = await startPooler(join(folder, `pooler-${poolers.length}`), {
      databaseUrl,
      settings,
    })
    poolers.push(pooler)
    return pooler.url
  }
  let direct = ''
  const world = await startLiveWorld({
    each: 1,
    startChains: (dir) => startChainHost({ dir }),
    pool(databaseUrl) {
      direct = databaseUrl
      return behind(databaseUrl, DOCUMENTED)
    },
  })
  const stop = async () => {
    await world.stop()
    await Promise.all(poolers.map((pooler) => pooler.stop()))
  }
  const perform = async () => {
    const { serverEnv } = world.infrastructure
    const found = await askDoctor(serverEnv)
    requireFinding(found, ['fine', 'database.sessions'])
    requireFinding(found, ['fine', 'database.connections'])
    for (const [name, line] of [
      ['database.connections', 'default_pool_size = 20'],
      ['database.connections', 'max_client_conn = 20'],
      ['database.sessions', 'pool_mode = transaction'],
    ] as const) {
      const DATABASE_URL = await behind(direct, `${DOCUMENTED}${line}\n`)
      requireFinding(await askDoctor({ ...serverEnv, DATABASE_URL }), ['fault', name])
    }
    return goTheWholeWay(world)
  }
  const done = await perform().catch(async (error) => {
    // The first failure says more than those of stopping.
    await stop().catch(() => undefined)
    throw error
  })
  await stop()
  return done
}

async function startPooler(
  folder: string,
  { databaseUrl, settings }: { databaseUrl: string; settings: string },
): Promise<Pooler> {
  const port = await portForLater()
  const { hostname, port: ofServer, username, password, pathname } = new URL(databaseUrl)
  const database = pathname.slice(1)
  const server = `host=${hostname} port=${ofServer} user=${username} password=${decodeURIComponent(password)}`
  mkdirSync(folder)
  chmodSync(folder, 0o755)
  const file = join(folder, 'pgbouncer.ini')
  const own = `[databases]\n${database} = ${server} dbname=${database}\n`
  const place = `listen_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = any\n`
  writeFileSync(file, `${own}${settings}${place}`)
  const command = { command: 'pgbouncer', args: ['--user=nobody', file] }
  const started = await startUntilReady(command, (line) => line.includes('process up'))
  if ('lastLines' in started) throw new Error(`PgBouncer did not start: ${started.lastLines}`)
  return { url: `postgres://${username}@127.0.0.1:${port}/${database}`, stop: () => started.stop() }
}

type Finding = { verdict: string; name: string; text: string }

/** Not blocking: the nodes answer from this process. */
async function askDoctor(env: NodeJS.ProcessEnv): Promise<Finding[]> {
  const args = ['apps/server/command.mjs', 'doctor', '--json']
  // It exits with code 1 where it finds a fault.
  const stdout = await new Promise<string>((resolve) => {
    execFile(process.execPath, args, { cwd: ROOT, env }, (_error, text) => resolve(text))
  })
  return JSON.parse(stdout).findings
}

function requireFinding(
  found: readonly Finding[],
  [verdict, name]: readonly [string, string],
): void {
  const isThere = found.some((one) => one.name === name && one.verdict === verdict)
  if (isThere) return
  throw new Error(`The doctor should find ${name} ${verdict}: ${JSON.stringify(found)}`)
}

/**
 * From a first plan to a claim that is paid in full.
 * @param midway something that happens once its first half is paid
 * @returns what was paid
 */
export async function goTheWholeWay(
  world: LiveWorld,
  midway: () => Promise<void> = async () => undefined,
): Promise<string> {
  await setPrice(world)
  await createPlans(world)
  const referrer = await world.join()
  const holder = await world.join(await referralCodeOf(referrer))
  for (const one of [referrer, holder]) {
    await world.waitUntil('the stakes are booked as earnings', () => areEarning(one))
  }
  await world.pass(7 * DAY_MS)
  await setPrice(world)
  // A session is shorter than the week that has passed.
  await holder.client.login()
  await referrer.client.login()
  const fee = await claimed(world, holder, { plan: PLAN, kind: 'HALF' })
  await untilPaid(world, holder, { fee, part: 'first' })
  await midway()
  const { mark } = await holder.client.call<{ mark: string }>('GET', '/api/user/changes')
  const polled = untilChanged(holder, mark)
  await holder.pay(fee, { submitsHash: true })
  await polled
  await untilPaid(world, holder, { fee, part: 'rest' })
  await untilNoAlarm(world)
  await world.catchUp()
  const { payouts, doubles, losses, faults } = await judge(world)
  if (doubles + losses + faults.length > 0) throw new Error(`The books differ: ${faults}`)
  return `${payouts} payouts`
}

/** Long polls, which a signal of the database ends. */
async function untilChanged({ client }: ChaosHolder, mark: string): Promise<void> {
  await until('the long poll answers', async () => {
    // One without changes has no body.
    const reply = await client.tryCall('GET', `/api/user/changes?since=${mark}`)
    if (reply.status !== 200) throw new Error(`the long poll was answered with ${reply.status}`)
  })
}
