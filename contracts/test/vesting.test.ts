import { expect, test } from 'vitest'
import { addressOf, type Chain, useChain } from './support/chain.ts'
import {
  balanceOf,
  DAY,
  DCT,
  deploySystem,
  deployToken,
  givenFundedPlan,
  givenStake,
  OPERATOR,
  OWNER,
  type System,
} from './support/system.ts'

const HOLDER = addressOf('vesting holder')
const UTC_PLUS_7 = 7n * 3_600n

let chain: Chain
let system: System

useChain(async (started) => {
  chain = started
  system = await deploySystem(chain, await deployToken(chain))
  await chain.send(OWNER, system.pool, 'setTermLimits', [10_000n, 1n])
})

/** 00:00 in Jakarta of the next business day after this instant. */
const nextBusinessDay = (instant: bigint) => ((instant + UTC_PLUS_7) / DAY + 1n) * DAY - UTC_PLUS_7

/**
 * Pays every cycle at the very start of the business day on which it is credited, like the server: cycle k on business
 * day start + k, floor(R*k/N) in total.
 */
async function expectEveryCyclePayable(join: {
  secondOfDay: bigint
  days: bigint
  amount: bigint
}) {
  const { secondOfDay, days, amount } = join
  await givenFundedPlan(chain, system, { code: 'V', days, bps: 7_777n })
  const midnight = nextBusinessDay(await chain.now())
  const startedAt = midnight + DAY + secondOfDay
  await givenStake(chain, system, { staker: HOLDER, code: 'V', amount, days, at: startedAt })
  const reward = (amount * 7_777n) / 10_000n
  let paid = 0n
  for (let cycle = 1n; cycle <= days; cycle++) {
    const upToCycle = (reward * cycle) / days
    await chain.at(nextBusinessDay(startedAt) + (cycle - 1n) * DAY)
    await chain.send(OPERATOR, system.pool, 'payReward', ['V', HOLDER, paid, upToCycle - paid])
    paid = upToCycle
  }
  expect(paid).toBe(reward)
  expect(await balanceOf(chain, system.token, HOLDER)).toBe(reward)
}

test.each([
  { hour: 'at midnight', secondOfDay: 0n },
  { hour: 'a second after midnight', secondOfDay: 1n },
  { hour: 'at noon', secondOfDay: DAY / 2n },
  { hour: 'a second before midnight', secondOfDay: DAY - 1n },
])(
  'every cycle of a stake made $hour in Jakarta is payable when it is credited, including the last',
  async ({ secondOfDay }) => {
    await expectEveryCyclePayable({ secondOfDay, days: 360n, amount: 33_333_333n })
  },
)

test.each([1n, 2n, 7n])(
  'every cycle of a plan of %s days is payable when it is credited',
  async (days) => {
    await expectEveryCyclePayable({ secondOfDay: DAY - 1n, days, amount: 10n * DCT + 1n })
  },
)

test('on day d of a stake, d/N of its reward has vested, rounded down and capped at the whole reward', async () => {
  const days = 7n
  await givenFundedPlan(chain, system, { code: 'V', days, bps: 7_777n })
  const amount = 10n * DCT + 1n
  const { start } = await givenStake(chain, system, { staker: HOLDER, code: 'V', days, amount })
  const reward = (amount * 7_777n) / 10_000n
  const payableAt = async (instant: bigint) => {
    await chain.at(instant)
    await chain.client.mine({ blocks: 1 })
    return chain.client.readContract({
      ...system.pool,
      functionName: 'payableNow',
      args: ['V', HOLDER],
    })
  }
  for (let day = 1n; day <= 10n; day++) {
    const vested = (reward * (day < days ? day : days)) / days
    if (day > 1n) expect(await payableAt(start + (day - 1n) * DAY)).toBe(vested)
    expect(await payableAt(start + day * DAY - 1n)).toBe(vested)
  }
})
