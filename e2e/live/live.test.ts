import { afterAll, beforeAll, expect, test } from 'vitest'
import { approveBonuses, referralCodeOf } from '../chaos/chaos-world.ts'
import { judge } from '../chaos/verdict.ts'
import {
  areEarning,
  claimed,
  createPlans,
  feeOf,
  setPrice,
  untilAlarm,
  untilNoAlarm,
  untilPaid,
} from './live-acts.ts'
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

test(
  'live processes behind faulty nodes take the product from its deployment to a referral payout',
  async () => {
    const { nodes, processes, chains } = world
    const [tron, otherTron] = nodes.tron
    const [faulty, , liar] = nodes.bsc
    await setPrice(world)
    tron.behave(everyNth(20, 'busy'))
    faulty.behave(everyNth(10, 'truncate'))
    await createPlans(world)

    // One of three nodes stops: after some minutes it is excluded, and the other two are enough.
    otherTron.behave(stuckAt((await chains.control.info()).tron.final.number))
    const referrer = await world.join()
    const holder = await world.join(await referralCodeOf(referrer))
    await world.pass(6 * MINUTE_MS)
    await untilAlarm(world, { kind: 'node_lags', words: otherTron.host })
    for (const one of [referrer, holder]) {
      await world.waitUntil('the stakes are booked as earnings', () => areEarning(one))
    }
    otherTron.behave(sound)

    await world.pass(7 * DAY_MS)
    await setPrice(world)
    await holder.client.login()
    await referrer.client.login()
    // Another of the three is lost until the end of the test, and a worker is killed while it pays.
    tron.behave(lost)
    const fee = await claimed(world, holder, { plan: 'PLAN-360', kind: 'HALF' })
    await processes.worker[0].kill()
    await untilPaid(world, holder, { fee, part: 'first' })

    // One of three nodes lies: it is outvoted and named.
    const [payer, receiver] = [holder.client.account.bsc_address, fee.receiver_address]
    const payment = { usdt: chains.deployment.bsc.usdt, from: payer, to: receiver }
    liar.behave(inventing({ ...payment, amount: fee.unpaid_fee_usdt }))
    await untilAlarm(world, { kind: 'node_differs', words: liar.host })
    // Without one of the other two it is unclear which node lies: nothing is booked until they agree.
    faulty.behave(lost)
    await untilAlarm(world, { kind: 'nodes_disagree', words: liar.host })
    const { BSC: stoppedAt } = await world.blocksRead()
    await processes.watcher[0].kill()
    await holder.pay(fee, { submitsHash: true })
    await world.pass(MINUTE_MS)
    expect((await world.blocksRead()).BSC).toBe(stoppedAt)
    expect((await feeOf(holder, fee)).is_paid).toBe(false)
    liar.behave(sound)
    await untilPaid(world, holder, { fee, part: 'rest' })

    await processes.api[0].kill()
    await world.waitUntil('there is a referral reward', () => referrer.claimBonus())
    await world.admin.stepUp()
    await approveBonuses(world)
    await world.waitUntil('the referral reward is paid', async () =>
      (await referrer.bonuses()).every(({ state }) => state === 'paid'),
    )

    // Everything runs again, the nodes' faults are no longer recent, and the books agree with both chains.
    for (const node of [...nodes.tron, ...nodes.bsc]) node.behave(sound)
    await world.pass(11 * MINUTE_MS)
    await world.start([processes.api[0], processes.worker[0], processes.watcher[0]])
    await untilNoAlarm(world)
    await world.catchUp()
    const { payouts, bonuses, doubles, losses, faults } = await judge(world)
    expect({ payouts, bonuses, doubles, losses, faults }).toEqual({
      ...{ payouts: 2, bonuses: 1, doubles: 0, losses: 0, faults: [] },
    })
  },
  PATIENCE_MS,
)
