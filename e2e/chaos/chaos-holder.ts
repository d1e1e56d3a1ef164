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
/** Not enough has been credited yet; retry on a later day. */
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

/** A holder who keeps claiming and paying while the server is repeatedly killed. */
export type ChaosHolder = {
  client: OutsideHolder
  /** The codes of all claims that this holder made. */
  claimCodes: ReadonlySet<string>
  /** The amount that this holder paid for each claim, as decimal USDT. No fee is paid twice. */
  payments: ReadonlyMap<string, string>
  /** The wallet's balances before its first lock or payment. */
  funded: { dct: bigint; usdt: bigint }
  /** Claims if there is enough to claim. @returns the open fee */
  claim(planCode: string, kind: 'FULL' | 'HALF'): Promise<Fee | undefined>
  /**
   * Pays a fee's exact amount on chain, then either submits the hash or leaves it to the service to find the payment. A
   * second call for the same fee waits for the first payment instead of paying again.
   */
  pay(fee: Fee, options: { submitsHash: boolean }): Promise<void>
  /** All fees, paid or not. */
  fees(): Promise<Fee[]>
  /** Claims this holder's direct referral rewards to their own address. @returns false if there are none */
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

/** Registers and logs in a client, and locks DCT in both plans. */
export async function onboard(
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
    pay(fee, { submitsHash }) {
      const begun = paying.get(fee.code_claim)
      if (begun !== undefined) return begun
      payments.set(fee.code_claim, fee.unpaid_fee_usdt)
      const payment = (async () => {
        const hash = await client.payUsdt(fee.unpaid_fee_usdt, fee.receiver_address)
        if (submitsHash) await submitHash(client, fee, hash)
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
 * Makes a claim. After a lost response it first checks whether the claim was made, as the web app advises users to do,
 * and requests it again only if it was not.
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
  throw new Error('claim: no response')
}

function requestClaim(
  client: OutsideHolder,
  planCode: string,
  kind: 'FULL' | 'HALF',
): Promise<Reply> {
  const body = { earning_plan_code: planCode, claim_type: kind }
  return client.tryCall('POST', '/api/user/claim', body)
}

async function submitHash(client: OutsideHolder, fee: Fee, hash: string): Promise<void> {
  const body = { earning_plan_code: fee.earning_plan_code, tx_hash_usdt: hash }
  const reply = await persist('pay', () => client.tryCall('POST', '/api/user/pay-claim-fee', body))
  // The watcher may have settled the fee first.
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
      const signature = await client.tron.trx.signMessageV2(message)
      const body = { usdt_address, type: BONUS_TYPE, nonce, signature }
      return client.tryCall('POST', '/api/user/save-referral-claim-pool', body)
    })
    // The pending claim may be from an earlier attempt whose response was lost.
    if (reply.status === 200 || codeOf(reply) === 'REFERRAL_CLAIM_PENDING') return true
    if (codeOf(reply) === 'NOTHING_TO_CLAIM_REFERRAL') return false
    // More rewards were credited between challenge and signature, so a new challenge is needed.
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
