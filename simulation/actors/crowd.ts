/** Many holders at once: what happens to some of them must not delay the others. */
import { parseAmount } from '@dct/money'
import { payableNow } from '../chains/reward-pool.ts'
import type { Stage } from '../story/stage.ts'
import { callPool, endow, joinOnChain, type Wallet, walletOf } from '../world/wallet.ts'
import type { Play } from './act.ts'
import { days } from './time.ts'

/** More than a sender tries at a time. */
const SIZE = 70
const PLAN = 'PLAN-30'
const STAKE = '10'

/**
 * A crowd joins and claims, a thief with the operator key pays each of them one base unit before the service does, and
 * a holder of another plan claims after them.
 */
export const crowd: Play = async (stage) => {
  const members = Array.from({ length: SIZE }, (_, at) => walletOf(`member ${at + 1}`))
  const last = walletOf('the last in the queue')
  for (const member of [...members, last]) endow(stage.world.chains, member)
  stage.world.mine(3)
  for (const member of [...members, last]) await stage.api.register(member, undefined)
  for (const member of members) join(stage, member, PLAN, 30)
  join(stage, last, 'PLAN-90', 90)
  await stage.world.settle()
  await days(stage, 13)
  for (const member of members) await claim(stage, member, PLAN)
  payOneUnitEach(stage, members)
  stage.world.mine(3)
  await claim(stage, last, 'PLAN-90')
  stage.thefts += 1
  stage.say(
    `${SIZE} members of a crowd claim, a thief pays each one base unit, and another holder claims`,
  )
  await judgeQueue(stage, last)
}

function join(stage: Stage, member: Wallet, plan: string, planDays: number): void {
  joinOnChain(stage.world.chains, member, {
    amount: parseAmount('DCT', STAKE),
    plan,
    days: planDays,
  })
}

async function claim(stage: Stage, member: Wallet, plan: string): Promise<void> {
  const body = { earning_plan_code: plan, claim_type: 'HALF' }
  stage.answered('claim of a crowd', await stage.api.call(member, 'POST', '/user/claim', body))
}

function payOneUnitEach({ world }: Stage, members: readonly Wallet[]): void {
  const { pool } = world.chains.tron.state
  members.forEach(({ address }) => {
    callPool(world.chains, pool.operator, 'payReward', [PLAN, address, 0n, 1n])
  })
}

/** Only watchers and senders work: an audit may hold a whole plan, which is another matter. */
async function judgeQueue(stage: Stage, { address }: Wallet): Promise<void> {
  const { tron } = stage.world.chains
  for (let turn = 0; turn < 6; turn += 1) {
    stage.world.mine(3)
    await stage.world.turn((loop) => loop.startsWith('watcher') || loop.endsWith('sender'))
  }
  const nowS = BigInt(Math.floor(tron.head.time / 1_000))
  const paid = tron.state.pool.entitlements.get(`PLAN-90 ${address}`)?.paid ?? 0n
  const due = payableNow({ pool: tron.state.pool, nowS }, 'PLAN-90', address)
  if (paid === 0n && due > 0n)
    stage.accuse('nobody waits for others', 'PLAN-90', 'the last in the queue is not tried')
}
