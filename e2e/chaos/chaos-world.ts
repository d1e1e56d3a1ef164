import { type DevnetInfo, devnetAt, newAccount, OutsideHolder } from '../outside/outside-client.ts'
import { type Bonus, type ChaosHolder, onboard, PLANS } from './chaos-holder.ts'
import { advance, give, settle } from './devnet-time.ts'
import { type Infrastructure, startInfrastructure } from './infrastructure.ts'
import { createMortalServer, type MortalServer } from './mortal-server.ts'
import { BadAnswer, codeOf, describeReply, persist, read } from './persistence.ts'
import type { Random } from './random.ts'

/** A complete product whose server can be killed, with its users. */
export type ChaosWorld = {
  infrastructure: Infrastructure
  server: MortalServer
  random: Random
  admin: OutsideHolder
  holders: ChaosHolder[]
  stop(): Promise<void>
}

const PLENTY = { dct: '1000', trx: '100000', usdt: '1000', bnb: '10' }

/** Starts everything and waits until the server is healthy. At first the admin is the only user. */
export async function startChaosWorld(random: Random): Promise<ChaosWorld> {
  const infrastructure = await startInfrastructure()
  const { url, serverEnv } = infrastructure
  const server = createMortalServer({ url, env: serverEnv })
  const stop = async () => {
    await server.stop()
    await infrastructure.stop()
  }
  server.start()
  try {
    await server.untilHealthy()
    const admin = await clientOf(infrastructure, 'admin')
    await admin.login()
    return { infrastructure, server, random, admin, holders: [], stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Restarts the server and waits until it is healthy. */
export async function startAgain({ server }: Pick<ChaosWorld, 'server'>): Promise<void> {
  server.start()
  await server.untilHealthy()
}

/** Creates a client that uses the chains' own URLs, which stay available while the server is down. */
async function clientOf(
  { url, chains }: Infrastructure,
  role: 'admin' | 'holder',
): Promise<OutsideHolder> {
  const reply = await persist('info', async () => ({
    status: 200,
    body: await devnetAt(url).info(),
  }))
  const info = reply.body as DevnetInfo
  const account =
    role === 'holder' ? newAccount() : info.accounts.find((known) => known.role === 'admin')
  if (account === undefined) throw new Error('devnet has no admin')
  const tron = { ...info.tron, full_host: chains.tronUrl, json_rpc: chains.tronJsonRpcUrl }
  const bsc = { ...info.bsc, rpc: chains.bscUrl }
  return new OutsideHolder({ base: url, info: { ...info, tron, bsc }, account })
}

/** Registers this many holders with stakes in both plans, each referred by the previous one. */
export async function addHolders(world: ChaosWorld, count: number): Promise<void> {
  const { url } = world.infrastructure
  const clients = await Promise.all(
    Array.from({ length: count }, () => clientOf(world.infrastructure, 'holder')),
  )
  let referrerCode: string | undefined
  for (const client of clients) {
    const { tron_address, bsc_address } = client.account
    await give(url, { tron_address, bsc_address, ...PLENTY })
    const holder = await onboard(client, referrerCode)
    world.holders.push(holder)
    referrerCode = await referralCodeOf(holder)
  }
}

export async function referralCodeOf({ client }: ChaosHolder): Promise<string> {
  const { user } = await read<{ user: { referral_code: string } }>(client, '/api/auth/me')
  return user.referral_code
}

/** After this many days, both plans have credited enough for a claim. */
export const DAYS_OF_A_ROUND = 7

/**
 * Simulates a week: every holder claims in both plans and pays most of the fees, leaving some for later. Works even if
 * the server crashes and restarts at any moment.
 */
export async function runRound(world: ChaosWorld): Promise<void> {
  const { random, holders, infrastructure } = world
  await advance(infrastructure.url, DAYS_OF_A_ROUND)
  await Promise.all(
    holders.map(async (holder) => {
      for (const { code } of PLANS) {
        const fee = await holder.claim(code, random.pick(['FULL', 'HALF']))
        if (fee === undefined || random.chance(0.2)) continue
        await holder.pay(fee, { submitsHash: random.chance(0.5) })
      }
      if (random.chance(0.5)) await holder.claimBonus()
    }),
  )
  await approveBonuses(world)
}

/** The admin approves every pending referral claim. */
export async function approveBonuses({ admin }: Pick<ChaosWorld, 'admin'>): Promise<void> {
  const path = '/api/admin/referral-claim-pool?limit=100'
  const { claim_pool } = await read<{ claim_pool: Bonus[] }>(admin, path)
  for (const { id } of claim_pool.filter(({ state }) => state === 'requested')) {
    const reply = await persist('approve', () =>
      admin.tryCall('PUT', '/api/admin/referral-claim-approval', { id }),
    )
    const isDone = reply.wasUnknown && codeOf(reply) === 'REFERRAL_CLAIM_APPROVED'
    if (reply.status !== 200 && !isDone) throw new BadAnswer(`approve: ${describeReply(reply)}`)
  }
}

/** Has all holders pay their open fees and claim their referral rewards, and waits until everything is settled. */
export async function finishEverything(world: ChaosWorld): Promise<void> {
  const { holders, infrastructure } = world
  await Promise.all(
    holders.map(async (holder) => {
      for (const fee of await holder.fees()) {
        if (!fee.is_paid) await holder.pay(fee, { submitsHash: true })
      }
    }),
  )
  await settle(infrastructure.url)
  for (const holder of holders) await holder.claimBonus()
  await approveBonuses(world)
  await settle(infrastructure.url)
}
