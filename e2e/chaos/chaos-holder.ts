import { setTimeout as pause } from 'node:timers/promises'
import type { OutsideHolder } from '../outside/outside-client.ts'
import {
  askOnce,
  BadAnswer,
  codeOf,
  describeReply,
  persist,
  type Reply,
  read,
} from './persistence.ts'

export const PLANS = [
  { code: 'PLAN-360', durationDays: 360 },
  { code: 'PLAN-720', durationDays: 720 },
] as const
export const LOCKED_DCT = '50'
const PAUSE_MS = 60
const CLAIM_PATIENCE_MS = 120_000
/** There is nothing to claim yet; retry on a later day. */
const TOO_EARLY = new Set(['BELOW_MINIMUM_CLAIM', 'NOTHING_TO_CLAIM'])

export type Fee = {
  earning_plan_code: string
  code_claim: string
  claim_type: 'FULL' | 'HALF'
  now_amount: string
  later_amount: string
  unpaid_fee_usdt: string
  receiver_address: string
  is_paid: boolean
  tx_hash_usdt: string | null
  tx_hash_reward: string | null
  claimed_trx_hash: string | null
}

/** A holder who keeps claiming and paying while the server is killed repeatedly. */
export type ChaosHolder = {
  client: OutsideHolder
  /** Every claim known to this holder. */
  claimCodes: ReadonlySet<string>
  /** In USDT base units: what was paid, by claim code. Nobody pays twice. */
  payments: ReadonlyMap<string, string>
  /** The wallet's balances before anything was locked or paid. */
  funded: { dct: bigint; usdt: bigint }
  /** Makes a claim if there is enough to claim. @returns the open fee */
  claim(planCode: string, kind: 'FULL' | 'HALF'): Promise<Fee | undefined>
  /**
   * Pays a fee's exact amount on chain, and either submits the hash or leaves the service to find it. Asked for again,
   * it waits for the payment that was begun.
   */
  pay(fee: Fee, options: { tells: boolean }): Promise<void>
  /** All fees, paid or not. */
  fees(): Promise<Fee[]>
  /** Claims this holder's referral rewards to the holder's own address. @returns false when there are none */
  claimBonus(): Promise<boolean>
  bonuses(): Promise<Bonus[]>
}

/** A claim of referral rewards. */
export type Bonus = {
  id: string
  total_accumulated: string
  usdt_address: string
  state: string
  tx_hash_usdt: string | null
}

/** Registers, logs in and locks in both plans. */
export async function settleIn(
  client: OutsideHolder,
  referrerCode: string | undefined,
): Promise<ChaosHolder> {
  await register(client, referrerCode)
  await persist('login', () => client.login().then((body) => ({ status: 200, body })))
  const funded = { dct: await client.dctBalance(), usdt: await client.usdtBalance() }
  for (const plan of PLANS) await join(client, plan)
  return createHolder(client, funded)
}

async function register(client: OutsideHolder, referrerCode: string | undefined): Promise<void> {
  const asked = {
    tron_address: client.address,
    email: 'holder@example.org',
    ...(referrerCode === undefined ? {} : { referrer_code: referrerCode }),
  }
  const reply = await persist('register', async () => {
    const proof = await client.prove({ ...asked, purpose: 'register' })
    return client.tryCall('POST', '/api/auth/register', { ...asked, ...proof, accept_terms: true })
  })
  const isDone = reply.wasUnknown && codeOf(reply) === 'ALREADY_REGISTERED'
  if (reply.status !== 200 && !isDone) throw new BadAnswer(`register: ${describeReply(reply)}`)
}

async function join(client: OutsideHolder, plan: (typeof PLANS)[number]): Promise<void> {
  const hash = await client.lock(plan, LOCKED_DCT)
  const body = { plan_code: plan.code, amount: LOCKED_DCT, trx_hash: hash }
  const reply = await persist('join', () => client.tryCall('POST', '/api/user/earnings', body))
  if (reply.status !== 200) throw new BadAnswer(`join: ${describeReply(reply)}`)
}

function createHolder(client: OutsideHolder, funded: ChaosHolder['funded']): ChaosHolder {
  const claimCodes = new Set<string>()
  const payments = new Map<string, string>()
  const paying = new Map<string, Promise<void>>()
  const holder: ChaosHolder = {
    client,
    claimCodes,
    payments,
    funded,
    async claim(planCode, kind) {
      const fee = await claimOnce(client, planCode, kind)
      if (fee !== undefined) claimCodes.add(fee.code_claim)
      return fee
    },
    pay(fee, { tells }) {
      const begun = paying.get(fee.code_claim)
      if (begun !== undefined) return begun
      payments.set(fee.code_claim, fee.unpaid_fee_usdt)
      const payment = (async () => {
        const hash = await client.payUsdt(fee.unpaid_fee_usdt, fee.receiver_address)
        if (tells) await tell(client, fee, hash)
      })()
      paying.set(fee.code_claim, payment)
      return payment
    },
    fees: () => readFees(client),
    claimBonus: () => claimBonus(client),
    bonuses: async () => {
      const path = '/api/user/referral-claim-pool-history?limit=100'
      return (await read<{ referral_claim_pool: Bonus[] }>(client, path)).referral_claim_pool
    },
  }
  return holder
}

/**
 * After an answer that never came it looks whether the claim was made, as the web app tells people to. A claim is
 * asked for again only when there is none.
 */
async function claimOnce(
  client: OutsideHolder,
  planCode: string,
  kind: 'FULL' | 'HALF',
): Promise<Fee | undefined> {
  const deadline = performance.now() + CLAIM_PATIENCE_MS
  while (performance.now() < deadline) {
    const open = (await readFees(client, 'is_paid=false')).find(
      (fee) => fee.earning_plan_code === planCode,
    )
    if (open !== undefined) return open
    const reply = await askOnce(() => requestClaim(client, planCode, kind))
    if (reply !== undefined && TOO_EARLY.has(codeOf(reply) ?? '')) return undefined
    const isFine = reply === undefined || reply.status === 200 || reply.status === 503
    if (!isFine && codeOf(reply) !== 'CLAIM_FEE_OPEN')
      throw new BadAnswer(`claim: ${describeReply(reply)}`)
    if (reply?.status !== 200) await pause(PAUSE_MS)
  }
  throw new Error('claim: nobody answered')
}

function requestClaim(
  client: OutsideHolder,
  planCode: string,
  kind: 'FULL' | 'HALF',
): Promise<Reply> {
  const body = { earning_plan_code: planCode, claim_type: kind }
  return client.tryCall('POST', '/api/user/claim', body)
}

async function tell(client: OutsideHolder, fee: Fee, hash: string): Promise<void> {
  const body = { earning_plan_code: fee.earning_plan_code, tx_hash_usdt: hash }
  const reply = await persist('pay', () => client.tryCall('POST', '/api/user/pay-claim-fee', body))
  // The watcher may have been faster, so that there is no open fee any more.
  const isSettled = codeOf(reply) === 'NO_OPEN_FEE'
  if (reply.status >= 300 && !isSettled) throw new BadAnswer(`pay: ${describeReply(reply)}`)
}

const BONUS_TYPE = 'direct bonus'

async function claimBonus(client: OutsideHolder): Promise<boolean> {
  const usdt_address = client.account.bsc_address
  for (;;) {
    const reply = await persist('bonus', async () => {
      const challenge = await client.tryCall('POST', '/api/auth/challenge', {
        ...{ tron_address: client.address, purpose: 'referral_claim' },
        ...{ usdt_address, type: BONUS_TYPE },
      })
      if (challenge.status !== 200) return challenge
      const { nonce, message } = challenge.body as { nonce: string; message: string }
      const key = client.account.tron_private_key.replace(/^0x/, '')
      const signature = await client.tron.trx.signMessageV2(message, key)
      const body = { usdt_address, type: BONUS_TYPE, nonce, signature }
      return client.tryCall('POST', '/api/user/save-referral-claim-pool', body)
    })
    // A pending claim may be that of an attempt without a response.
    if (reply.status === 200 || codeOf(reply) === 'REFERRAL_CLAIM_PENDING') return true
    if (codeOf(reply) === 'NOTHING_TO_CLAIM_REFERRAL') return false
    // More was credited between the challenge and its signature, so a new challenge is needed.
    if (codeOf(reply) !== 'REFERRAL_CLAIM_CHANGED')
      throw new BadAnswer(`bonus: ${describeReply(reply)}`)
  }
}

async function readFees(client: OutsideHolder, filter = ''): Promise<Fee[]> {
  const fees: Fee[] = []
  for (let page = 1; ; page += 1) {
    const path = `/api/user/pending-claim-fees?page=${page}&limit=100&${filter}`
    const list = await read<{ pending_fees: Fee[]; totalPages: number }>(client, path)
    fees.push(...list.pending_fees)
    if (page >= list.totalPages) return fees
  }
}
