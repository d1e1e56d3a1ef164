import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ChaosHolder, type Fee, PLANS } from '../chaos/chaos-holder.ts'
import { approveBonuses } from '../chaos/chaos-world.ts'
import { read } from '../chaos/persistence.ts'
import { judge } from '../chaos/verdict.ts'
import { everyNth, inventing, lost, sound, stuckAt } from './live-nodes.ts'
import { type LiveWorld, startLiveWorld } from './live-world.ts'

const PATIENCE_MS = 300_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS

let world: LiveWorld
beforeAll(async () => {
  world = await startLiveWorld()
}, PATIENCE_MS)
afterAll(() => world?.stop(), PATIENCE_MS)

type Alarm = { kind: string; subject: string; message: string }

async function alarms(): Promise<Alarm[]> {
  return (await read<{ alarms: Alarm[] }>(world.admin, '/api/admin/alarms')).alarms
}

async function untilAlarm(kind: string, words: string): Promise<void> {
  await world.untilSo(`the alarm ${kind} names ${words}`, async () =>
    (await alarms()).some((alarm) => alarm.kind === kind && alarm.message.includes(words)),
  )
}

async function untilNoAlarm(): Promise<void> {
  let open: Alarm[] = []
  const wait = world.untilSo('no alarm is left', async () => {
    open = await alarms()
    return open.length === 0
  })
  await wait.catch((cause: unknown) => {
    throw new Error(`these alarms are left: ${JSON.stringify(open)}`, { cause })
  })
}

async function setPrice(): Promise<void> {
  await world.admin.login()
  await world.admin.call('POST', '/api/admin/price', { price: '1' })
}

/** Has the admin fund and create both plans, and waits until holders can join them. */
async function createPlans(): Promise<void> {
  const { admin, chains } = world
  await chains.control.faucet({ tronAddress: admin.address, dct: '2000', trx: '1000' })
  for (const { code, durationDays } of PLANS) {
    const terms = {
      ...{ plan_code: code, name: code, total_reward: '1000', duration_days: durationDays },
      ...{ total_percentage: durationDays === 360 ? '72' : '216', daily_limit: '500' },
      ...{ is_accumulation_active: true, is_active: true },
    }
    const tx_hash = await admin.fundPlan(code, terms.total_reward)
    await world.untilSo(`${code} is created`, async () => {
      const reply = await admin.tryCall('POST', '/api/admin/earning-plans', { ...terms, tx_hash })
      return reply.status === 200
    })
  }
  await world.untilSo('both plans are open', areOpen)
}

async function areOpen(): Promise<boolean> {
  const { plans } = await read<{ plans: { chain_state: string }[] }>(
    world.admin,
    '/api/admin/earning-plans',
  )
  return plans.length === PLANS.length && plans.every(({ chain_state }) => chain_state === 'open')
}

async function areEarning({ client }: ChaosHolder): Promise<boolean> {
  const { earnings } = await read<{ earnings: { is_hash_confirmed: string }[] }>(
    client,
    '/api/user/earnings?limit=100',
  )
  return (
    earnings.length === PLANS.length &&
    earnings.every(({ is_hash_confirmed }) => is_hash_confirmed === 'SUCCESS')
  )
}

/** Claims what a plan has credited, waiting for it. */
async function claimed(holder: ChaosHolder, plan: string, kind: 'FULL' | 'HALF'): Promise<Fee> {
  let fee: Fee | undefined
  await world.untilSo(`${plan} can be claimed`, async () => {
    fee = await holder.claim(plan, kind)
    return fee !== undefined
  })
  if (fee === undefined) throw new Error('the claim has no fee')
  return fee
}

async function feeOf(holder: ChaosHolder, { code_claim }: Fee): Promise<Fee> {
  const fee = (await holder.fees()).find((one) => one.code_claim === code_claim)
  if (fee === undefined) throw new Error(`claim ${code_claim} is gone`)
  return fee
}

async function untilPaid(holder: ChaosHolder, fee: Fee, part: 'first' | 'rest'): Promise<void> {
  const hash = part === 'first' ? 'claimed_trx_hash' : 'tx_hash_reward'
  await world.untilSo(`the ${part} of ${fee.code_claim} is paid`, async () =>
    /^[0-9a-f]{64}$/.test((await feeOf(holder, fee))[hash] ?? ''),
  )
}

test(
  'live processes behind faulty nodes take the product from its deployment to a referral payout',
  async () => {
    const { nodes, processes, chains } = world
    const [tron, otherTron] = nodes.tron
    const [faulty, , liar] = nodes.bsc
    await setPrice()
    tron.behave(everyNth(20, 'busy'))
    faulty.behave(everyNth(10, 'truncate'))
    await createPlans()

    // One of two nodes stops: after some minutes it is put aside, and the other one is enough.
    otherTron.behave(stuckAt((await chains.control.info()).tron.final.number))
    const referrer = await world.join()
    const { user } = await read<{ user: { referral_code: string } }>(
      referrer.client,
      '/api/auth/me',
    )
    const holder = await world.join(user.referral_code)
    await world.pass(6 * MINUTE_MS)
    await untilAlarm('node_lags', otherTron.host)
    for (const one of [referrer, holder]) {
      await world.untilSo('the stakes are earnings', () => areEarning(one))
    }
    otherTron.behave(sound)

    await world.pass(7 * DAY_MS)
    await setPrice()
    await holder.client.login()
    await referrer.client.login()
    // The other one of the two is lost for the rest of the story, and a worker while it pays.
    tron.behave(lost)
    const fee = await claimed(holder, 'PLAN-360', 'HALF')
    await processes.worker[0].kill()
    await untilPaid(holder, fee, 'first')

    // One of three nodes lies: it is outvoted and named.
    const [payer, receiver] = [holder.client.account.bsc_address, fee.receiver_address]
    const payment = { usdt: chains.deployment.bsc.usdt, from: payer, to: receiver }
    liar.behave(inventing({ ...payment, amount: fee.unpaid_fee_usdt }))
    await untilAlarm('node_differs', liar.host)
    // Without one of the other two nobody can say who lies: nothing is booked until they agree.
    faulty.behave(lost)
    await untilAlarm('nodes_disagree', liar.host)
    const { BSC: stoppedAt } = await world.blocksRead()
    await processes.watcher[0].kill()
    await holder.pay(fee, { submitsHash: true })
    await world.pass(MINUTE_MS)
    expect((await world.blocksRead()).BSC).toBe(stoppedAt)
    expect((await feeOf(holder, fee)).is_paid).toBe(false)
    liar.behave(sound)
    await untilPaid(holder, fee, 'rest')

    await processes.api[0].kill()
    await world.untilSo('there is a referral reward', () => referrer.claimBonus())
    await approveBonuses(world)
    await world.untilSo('the referral reward is paid', async () =>
      (await referrer.bonuses()).every(({ state }) => state === 'paid'),
    )

    // Everything is as it was, what happened to nodes is no longer recent, and the books agree with both chains.
    for (const node of [...nodes.tron, ...nodes.bsc]) node.behave(sound)
    await world.pass(11 * MINUTE_MS)
    await world.start([processes.api[0], processes.worker[0], processes.watcher[0]])
    await untilNoAlarm()
    await world.catchUp()
    const { payouts, bonuses, doubles, losses, faults } = await judge(world)
    expect({ payouts, bonuses, doubles, losses, faults }).toEqual({
      ...{ payouts: 2, bonuses: 1, doubles: 0, losses: 0, faults: [] },
    })
  },
  PATIENCE_MS,
)
