import { startGuarded } from '@dct/local-services'
import { parseUnits } from 'viem'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Program, SOURCES } from '../support/program.ts'
import { type ChaosHolder, PLANS } from './chaos-holder.ts'
import type { Infrastructure } from './infrastructure.ts'
import { read } from './persistence.ts'

const dct = (text: string) => parseUnits(text, 6)

/** A product with its users, and the independent evidence to judge it by: both chains, and the addresses it used. */
export type JudgedWorld = {
  admin: OutsideHolder
  holders: readonly ChaosHolder[]
  infrastructure: Pick<Infrastructure, 'chains' | 'feeReceivers' | 'payoutWallets' | 'serverEnv'>
  /** The version whose audit is run; by default that of the repository. */
  program?: Program
}

type Cycle = { reward_date: string; cycle: number; reward_amount: string; lapsed_amount: string }
type Earning = { earning_plan_code: string; total_reward: string; total_shared_reward: string }

/** Checks that each cycle was credited once, on its own day, with the amount that the plan's terms give. */
export async function checkCycles({ client }: ChaosHolder): Promise<string[]> {
  const faults: string[] = []
  const { earnings } = await read<{ earnings: Earning[] }>(client, '/api/user/earnings?limit=100')
  if (earnings.length !== PLANS.length)
    faults.push(`${client.address} has ${earnings.length} earnings, not ${PLANS.length}`)
  for (const earning of earnings) {
    const code = earning.earning_plan_code
    const count = BigInt(PLANS.find((plan) => plan.code === code)?.durationDays ?? 0)
    const cycles = await readCycles(client, code)
    const days = new Set(cycles.map(({ reward_date }) => reward_date))
    const isWhole = cycles.every(({ cycle }, index) => cycle === index + 1)
    if (!isWhole || days.size !== cycles.length)
      faults.push(`${client.address} ${code}: cycles are missing or duplicated`)
    const total = dct(earning.total_reward)
    const upTo = (cycle: bigint) => (total * cycle) / count
    for (const { cycle, reward_amount, lapsed_amount } of cycles) {
      const wanted = upTo(BigInt(cycle)) - upTo(BigInt(cycle) - 1n)
      if (dct(reward_amount) + dct(lapsed_amount) !== wanted)
        faults.push(`${client.address} ${code}: cycle ${cycle} is ${reward_amount}`)
    }
  }
  return faults
}

async function readCycles(client: ChaosHolder['client'], planCode: string): Promise<Cycle[]> {
  const cycles: Cycle[] = []
  for (let page = 1; ; page += 1) {
    const query = `page=${page}&limit=100&sort_by=reward_date&sort_order=asc`
    const list = await read<{ rewards: (Cycle & Earning)[]; totalPages: number }>(
      client,
      `/api/user/user-reward-history?${query}&earning_plan_code=${planCode}`,
    )
    cycles.push(...list.rewards)
    if (page >= list.totalPages) return cycles
  }
}

/** Checks that no admin is needed: no unpaid payout, held sender, unmatched payment or alarm, and the audit passes. */
export async function checkService(world: JudgedWorld): Promise<string[]> {
  const { admin } = world
  const faults: string[] = []
  const empty = [
    '/api/admin/payouts?state=waiting',
    '/api/admin/payouts?state=sent',
    '/api/admin/unmatched-payments?state=unmatched',
  ]
  for (const path of empty) {
    const { total } = await read<{ total: number }>(admin, path)
    if (total !== 0) faults.push(`${path} shows ${total}`)
  }
  const { alarms } = await read<{ alarms: object[] }>(admin, '/api/admin/alarms')
  for (const alarm of alarms) faults.push(`an alarm is open: ${JSON.stringify(alarm)}`)
  const health = await read<{ chains: { is_halted: boolean }[] }>(admin, '/api/health')
  if (health.chains.some(({ is_halted }) => is_halted)) faults.push('a chain is halted')
  faults.push(...(await runAudit(world)))
  return faults
}

async function runAudit({ infrastructure, program = SOURCES }: JudgedWorld): Promise<string[]> {
  const lines: string[] = []
  const audit = startGuarded({
    command: process.execPath,
    args: [program.fileOf('audit')],
    cwd: program.folder,
    env: infrastructure.serverEnv,
    onOutput: (line) => lines.push(line),
  })
  const { code } = await audit.exited
  return code === 0 ? [] : [`the audit found:\n${lines.join('\n')}`]
}
