import { type ChaosHolder, type Fee, PLANS } from '../chaos/chaos-holder.ts'
import { read } from '../chaos/persistence.ts'
import type { LiveWorld } from './live-world.ts'

type Alarm = { kind: string; subject: string; message: string }

async function alarms({ admin }: LiveWorld): Promise<Alarm[]> {
  return (await read<{ alarms: Alarm[] }>(admin, '/api/admin/alarms')).alarms
}

export async function untilAlarm(
  world: LiveWorld,
  { kind, words }: { kind: string; words: string },
): Promise<void> {
  await world.waitUntil(`the alarm ${kind} names ${words}`, async () =>
    (await alarms(world)).some((alarm) => alarm.kind === kind && alarm.message.includes(words)),
  )
}

export async function untilNoAlarm(world: LiveWorld): Promise<void> {
  let open: Alarm[] = []
  const wait = world.waitUntil('no alarm is left', async () => {
    open = await alarms(world)
    return open.length === 0
  })
  await wait.catch((cause: unknown) => {
    throw new Error(`these alarms are left: ${JSON.stringify(open)}`, { cause })
  })
}

/**
 * Has the admin sign in and set the price, which expires after a day, and a price of TRX that is low enough for the
 * energy fee to cover the cost of a payout.
 */
export async function setPrice({ admin }: LiveWorld): Promise<void> {
  await admin.login()
  await admin.stepUp()
  await admin.call('POST', '/api/admin/money-settings', { name: 'price', value: '1' })
  await admin.call('POST', '/api/admin/money-settings', { name: 'trx_price', value: '0.005' })
}

/** Has the admin fund and create both plans, and waits until holders can join them. */
export async function createPlans(world: LiveWorld): Promise<void> {
  const { admin, chains } = world
  await admin.stepUp()
  await chains.control.faucet({ tronAddress: admin.address, dct: '2000', trx: '1000' })
  for (const { code, durationDays } of PLANS) {
    const terms = {
      ...{ plan_code: code, name: code, total_reward: '1000', duration_days: durationDays },
      ...{ total_percentage: durationDays === 360 ? '72' : '216', daily_limit: '500' },
      ...{ is_accumulation_active: true, is_active: true },
    }
    const tx_hash = await admin.fundPlan(code, terms.total_reward)
    await world.waitUntil(`${code} is created`, async () => {
      const reply = await admin.tryCall('POST', '/api/admin/earning-plans', { ...terms, tx_hash })
      return reply.status === 200
    })
  }
  await world.waitUntil('both plans are open', () => areOpen(world))
}

async function areOpen({ admin }: LiveWorld): Promise<boolean> {
  const { plans } = await read<{ plans: { chain_state: string }[] }>(
    admin,
    '/api/admin/earning-plans',
  )
  return plans.length === PLANS.length && plans.every(({ chain_state }) => chain_state === 'open')
}

/** Whether both stakes of a holder have become earnings. */
export async function areEarning({ client }: ChaosHolder): Promise<boolean> {
  const { earnings } = await read<{ earnings: { is_hash_confirmed: string }[] }>(
    client,
    '/api/user/earnings?limit=100',
  )
  return (
    earnings.length === PLANS.length &&
    earnings.every(({ is_hash_confirmed }) => is_hash_confirmed === 'SUCCESS')
  )
}

/** Claims what a plan has credited, and waits until that is possible. */
export async function claimed(
  world: LiveWorld,
  holder: ChaosHolder,
  { plan, kind }: { plan: string; kind: 'FULL' | 'HALF' },
): Promise<Fee> {
  let fee: Fee | undefined
  await world.waitUntil(`${plan} can be claimed`, async () => {
    fee = await holder.claim(plan, kind)
    return fee !== undefined
  })
  if (fee === undefined) throw new Error('the claim has no fee')
  return fee
}

export async function feeOf(holder: ChaosHolder, { code_claim }: Fee): Promise<Fee> {
  const fee = (await holder.fees()).find((one) => one.code_claim === code_claim)
  if (fee === undefined) throw new Error(`claim ${code_claim} is gone`)
  return fee
}

export async function untilPaid(
  world: LiveWorld,
  holder: ChaosHolder,
  { fee, part }: { fee: Fee; part: 'first' | 'rest' },
): Promise<void> {
  const hash = part === 'first' ? 'claimed_trx_hash' : 'tx_hash_reward'
  await world.waitUntil(`the ${part} of ${fee.code_claim} is paid`, async () =>
    /^[0-9a-f]{64}$/.test((await feeOf(holder, fee))[hash] ?? ''),
  )
}
