import {
  type DemoAccount,
  type DevnetInfo,
  devnetAt,
  newAccount,
  OutsideHolder,
} from '../outside/outside-client.ts'
import { type Stack, type StackOptions, startStack } from './stack.ts'

type Assets = { dct?: string; trx?: string; usdt?: string; bnb?: string }
const PLENTY: Required<Assets> = { dct: '1000', trx: '10000', usdt: '1000', bnb: '10' }

export type NewHolder = {
  /** What the faucet gives; by default the same as demo accounts have. */
  assets?: Assets
  /** `false` for an account that has funds on the chains but is unknown to the service. */
  isRegistered?: boolean
  email?: string
  referrerCode?: string
}
export type NewPlan = {
  code: string
  name?: string
  totalReward: string
  durationDays: number
  totalPercentage: string
  dailyLimit: string
  hasCarryOver?: boolean
}

/** A running product, with shortcuts for preparing tests that use only its published interfaces. */
export type Product = {
  url: string
  info: DevnetInfo
  stack: Stack
  /** Advances this product's time by whole business days. */
  advance(days: number): Promise<string>
  settle(): Promise<void>
  give(account: DemoAccount, assets: Assets): Promise<void>
  /** Creates a holder with a new key: funded, registered and logged in, unless `wish` differs. */
  holder(wish?: NewHolder): Promise<OutsideHolder>
  /** The demo admin, logged in. */
  admin(): Promise<OutsideHolder>
  /** Has the admin fund and create a plan, and waits until it can be joined. */
  createPlan(plan: NewPlan): Promise<void>
  stop(): Promise<void>
}

/** Starts a separate product. A worker's tests share one, because time travel affects all of its holders. */
export async function startProduct(options: StackOptions = {}): Promise<Product> {
  const stack = await startStack(options)
  const { url } = stack
  const devnet = devnetAt(url)
  const info = await devnet.info()

  const give = async (account: DemoAccount, assets: Assets) => {
    const { tron_address, bsc_address } = account
    await devnet.faucet({ tron_address, bsc_address, ...assets })
  }
  const admin = async () => {
    const account = info.accounts.find(({ role }) => role === 'admin')
    if (!account) throw new Error('The product has no demo admin')
    const client = new OutsideHolder({ base: url, info, account })
    await client.login()
    return client
  }
  const holder = async (wish: NewHolder = {}) => {
    const account = newAccount()
    await give(account, { ...PLENTY, ...wish.assets })
    const client = new OutsideHolder({ base: url, info, account })
    if (wish.isRegistered === false) return client
    await client.register(wish.email ?? 'holder@example.org', wish.referrerCode)
    await client.login()
    return client
  }
  const createPlan = async (plan: NewPlan) => {
    const client = await admin()
    await give(client.account, { dct: plan.totalReward })
    const txHash = await client.fundPlan(plan.code, plan.totalReward)
    await devnet.settle()
    await client.call('POST', '/api/admin/earning-plans', {
      plan_code: plan.code,
      name: plan.name ?? plan.code,
      total_reward: plan.totalReward,
      duration_days: plan.durationDays,
      total_percentage: plan.totalPercentage,
      daily_limit: plan.dailyLimit,
      tx_hash: txHash,
      is_accumulation_active: plan.hasCarryOver ?? false,
      is_active: true,
    })
    await devnet.settle()
  }
  return {
    url,
    info,
    stack,
    advance: async (days) => (await devnet.advance(days)).business_date,
    settle: async () => void (await devnet.settle()),
    give,
    holder,
    admin,
    createPlan,
    stop: stack.stop,
  }
}
