import { randomBytes } from 'node:crypto'
import { createEvmClient, type FinalReceipt } from '@dct/chain-clients'
import { type Dct, parseAmount, parseUnits } from '@dct/money'
import { type Hex, pad, toEventSelector, toHex } from 'viem'
import { insertCursor, moveProof } from '../modules/chain/chain.queries.ts'
import { bytesOf, type ChainEvent, hexOf } from '../modules/chain/index.ts'
import { claimsRoutes } from '../modules/claims/claims.routes.ts'
import { claimsAdminRoutes } from '../modules/claims/claims-admin.routes.ts'
import {
  type CreditReferrals,
  onClaimPayoutFinal,
  onUsdtTransfer,
  requireReturnDue,
} from '../modules/claims/index.ts'
import { onRewardPaid } from '../modules/payouts/index.ts'
import { getPlanByCode } from '../modules/plans/index.ts'
import { ensureMoneySetting } from '../modules/pricing/index.ts'
import { stepsRoutes } from '../modules/steps/steps.routes.ts'
import { realClock } from '../platform/clock.ts'
import type { AdminAction } from '../platform/database/admin-actions.ts'
import { type Db, inBooking, type Tx } from '../platform/database/db.ts'
import type { App } from '../platform/http/http.ts'
import { everything } from './all-tables.ts'
import { createTestApp } from './app.ts'
import type { ManualClock } from './manual-clock.ts'
import { givenFundedPlan, givenStake, passDays, stakeDeps } from './stakes.ts'
import { bearer, givenUser, type TestUser } from './users.ts'

export const RECEIVER: Hex = `0x${'f1'.repeat(20)}`
export const PAYOUT_WALLET: Hex = `0x${'f2'.repeat(20)}`
export const USDT_CONTRACT: Hex = `0x${'05'.repeat(20)}`
export const PRICE_MAX_AGE_MS = 3_650 * 86_400_000
/** A node that never answers, for tests without BSC. */
const NOWHERE = 'http://127.0.0.1:9'

export type CreditedFee = Parameters<CreditReferrals>[1]

export type ClaimsWorld = {
  db: Db
  clock: ManualClock
  app: App
  credited: CreditedFee[]
  actions: AdminAction[]
  /** Final transactions on BSC, for admins who send payments back. */
  finals: Map<Hex, FinalReceipt>
  stakes: ReturnType<typeof stakeDeps> & { clock: ManualClock }
}

export type BscSide = { url: string; usdt: Hex; receiver: Hex; vault: Hex }

const NO_CHAIN: BscSide = {
  url: NOWHERE,
  usdt: USDT_CONTRACT,
  receiver: RECEIVER,
  vault: PAYOUT_WALLET,
}

/** The claim routes on a real database, with real prices, plans, stakes and ledger. */
export async function createClaimsWorld(
  db: Db,
  clock: ManualClock,
  bsc: BscSide = NO_CHAIN,
): Promise<ClaimsWorld> {
  const app = await createTestApp({ db, realClock })
  const world: ClaimsWorld = {
    db,
    clock,
    app,
    credited: [],
    actions: [],
    finals: new Map(),
    stakes: { ...stakeDeps({ db, clock }), clock },
  }
  const prefix = '/api'
  await app.register(claimsRoutes, {
    prefix,
    db,
    clock,
    realClock,
    dctDecimals: 6,
    feeReceiver: bytesOf(bsc.receiver),
    priceMaxAgeMs: PRICE_MAX_AGE_MS,
    reader: createEvmClient({ url: bsc.url }),
    usdt: bsc.usdt,
    supportEmail: 'support@dct.example',
    requireConsent: async () => undefined,
    creditReferrals: creditIn(world),
  })
  await app.register(claimsAdminRoutes, {
    prefix,
    db,
    clock,
    dctDecimals: 6,
    realClock,
    creditReferrals: creditIn(world),
    reader: { receipt: async (hash) => world.finals.get(hash) ?? { kind: 'unknown' } },
    usdt: bsc.usdt,
    recordAdminAction: async (_tx, action) => {
      world.actions.push(action)
    },
    requireStepUp: async () => undefined,
  })
  await app.register(stepsRoutes, { prefix, db, realClock, requireDue: requireReturnDue })
  return world
}

export function creditIn(world: ClaimsWorld): CreditReferrals {
  return async (_tx, fee) => {
    world.credited.push(fee)
    return []
  }
}

/** Sets a price and a BSC head, which every claim requires. */
export async function givenMarket(world: ClaimsWorld, price = '1'): Promise<void> {
  const deps = { db: world.db, clock: world.clock, priceMaxAgeMs: PRICE_MAX_AGE_MS }
  await ensureMoneySetting(deps, { name: 'price', value: parseUnits(price, 8) })
  await givenBscHead(world, 100n)
}

/**
 * Sets how far BSC has been read, and its latest block; by default, it is proven that nothing was left out until then.
 */
export async function givenBscHead(
  world: ClaimsWorld,
  number: bigint,
  isProven = true,
): Promise<void> {
  const now = world.clock.now()
  const at = { number, hash: hexOf(randomBytes(32)), time: now }
  await everything(world.db).deleteFrom('chain_cursor').where('chain', '=', 'BSC').execute()
  const seen = { final: at, headNumber: number, observedAt: now }
  await insertCursor(world.db, { chain: 'BSC', at, seen })
  if (isProven) await moveProof(world.db, { chain: 'BSC', from: undefined, to: at, figures: {} })
}

/** A holder with a stake that was credited for `days` cycles. */
export async function givenHolder(
  world: ClaimsWorld,
  facts: { amount?: Dct; days?: number; planCode?: string } = {},
): Promise<TestUser> {
  const user = await givenUser({ ...world, realClock })
  const code = facts.planCode ?? 'PLAN-360'
  const plan =
    (await getPlanByCode(world.db, code)) ?? (await givenFundedPlan(world.stakes, { code }))
  const amount = facts.amount ?? parseAmount('DCT', '50')
  await givenStake(world.stakes, { plan, staker: user.address, amount })
  await passDays(world.stakes, facts.days ?? 10)
  return user
}

export function givenAdmin(world: ClaimsWorld): Promise<TestUser> {
  return givenUser({ ...world, realClock }, { role: 'admin' })
}

export async function post(world: ClaimsWorld, user: TestUser, url: string, payload: object) {
  const reply = await world.app.inject({
    method: 'POST',
    url: `/api${url}`,
    headers: bearer(user),
    payload,
  })
  return { status: reply.statusCode, body: reply.json() }
}

export async function get(world: ClaimsWorld, user: TestUser, url: string) {
  const reply = await world.app.inject({ url: `/api${url}`, headers: bearer(user) })
  return { status: reply.statusCode, body: reply.json() }
}

export function claim(world: ClaimsWorld, user: TestUser, claim_type: string, extra: object = {}) {
  const body = { earning_plan_code: 'PLAN-360', claim_type, ...extra }
  return post(world, user, '/user/claim', body)
}

/** An admin announces that they send a received payment back. @returns whether they may */
export function announceReturn(
  world: ClaimsWorld,
  admin: TestUser,
  { txHash, logIndex }: { txHash: Buffer; logIndex: number },
  attempt = randomBytes(16).toString('hex'),
) {
  const step = `refund:${hexOf(txHash)}:${logIndex}`
  return post(world, admin, '/admin/money-steps', { step, attempt, known: [] })
}

let lastTransfer = 0

/** A transfer of USDT to the fee receiver, as the watcher reads it. */
const PAYER: Hex = `0x${'77'.repeat(20)}`
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')

export function transferEvent(
  world: ClaimsWorld,
  facts: { value: bigint; from?: Hex; to?: Hex; blockNumber?: bigint; at?: Date },
): ChainEvent {
  lastTransfer += 1
  return {
    chain: 'BSC',
    txHash: randomBytes(32),
    logIndex: lastTransfer % 5,
    blockNumber: facts.blockNumber ?? 1_000n + BigInt(lastTransfer),
    blockHash: randomBytes(32),
    blockTime: facts.at ?? world.clock.now(),
    address: bytesOf(USDT_CONTRACT),
    name: 'Transfer',
    args: {
      from: facts.from ?? PAYER,
      to: facts.to ?? RECEIVER,
      value: `${facts.value}`,
    },
  }
}

/** Puts final transfers into one transaction on BSC, as an admin would who sends payments back. @returns its hash */
export function sendBack(
  world: ClaimsWorld,
  moves: readonly { value: bigint; from?: Hex; to?: Hex; token?: Hex }[],
  facts: Partial<FinalReceipt> = {},
): Hex {
  const { txHash, blockNumber, blockTime } = transferEvent(world, { value: 1n })
  const hash = hexOf(txHash)
  const logs = moves.map(({ value, from = RECEIVER, to = PAYER, token = USDT_CONTRACT }) => ({
    address: token,
    topics: [TRANSFER, pad(from), pad(to)],
    data: pad(toHex(value)),
  }))
  const receipt = { kind: 'final', txHash: hash, blockNumber, blockTime, logs, fee: 1n } as const
  world.finals.set(hash, { ...receipt, failure: null, ...facts })
  return hash
}

/** Handles a transfer like the watcher, in one transaction. */
export function receive(
  world: ClaimsWorld,
  event: ChainEvent,
  feeReceivers: readonly Hex[] = [RECEIVER],
): Promise<void> {
  const deps = {
    clock: world.clock,
    creditReferrals: creditIn(world),
    feeReceivers,
    vaults: [PAYOUT_WALLET],
  }
  return inBooking(world.db, (tx) => onUsdtTransfer(deps, tx, event))
}

/** Books a payout as paid by the reward contract, like the watcher. @returns the transaction's hash */
export async function payOut(world: ClaimsWorld, cause: string): Promise<Buffer> {
  const payout = await everything(world.db)
    .selectFrom('payout')
    .selectAll()
    .where('cause', '=', cause)
    .executeTakeFirstOrThrow()
  const { paid } = await everything(world.db)
    .selectFrom('payout_account')
    .select('paid')
    .where('id', '=', payout.account_id)
    .executeTakeFirstOrThrow()
  const event: ChainEvent = {
    ...transferEvent(world, { value: 0n }),
    chain: 'TRON',
    name: 'RewardPaid',
    args: {
      planCode: payout.plan_code ?? '',
      to: hexOf(payout.to_address),
      amount: `${payout.amount}`,
      total: `${paid + payout.amount}`,
    },
  }
  const deps = { clock: world.clock, onFinal: onClaimPayoutFinal, charge: async () => undefined }
  await inBooking(world.db, (tx: Tx) => onRewardPaid(deps, tx, event))
  return event.txHash
}

export function claimRows(world: ClaimsWorld) {
  return everything(world.db).selectFrom('claim').selectAll().orderBy('id').execute()
}

/** Expects that debits and credits are equal for each asset, and that no balance is negative. */
export async function expectBooksToBalance(world: ClaimsWorld): Promise<void> {
  const rows = await everything(world.db)
    .selectFrom('ledger_account')
    .select((eb) => [
      'asset',
      'code',
      'side',
      eb.fn.sum<bigint>('debits').as('debits'),
      eb.fn.sum<bigint>('credits').as('credits'),
    ])
    .groupBy(['asset', 'code', 'side'])
    .execute()
  for (const asset of ['DCT', 'USDT']) {
    const sum = rows
      .filter((row) => row.asset === asset)
      .reduce((total, { debits, credits }) => total + debits - credits, 0n)
    if (sum !== 0n) throw new Error(`the books of ${asset} are off by ${sum}`)
  }
  for (const { code, side, debits, credits } of rows) {
    const balance = side === 'debit' ? debits - credits : credits - debits
    if (side !== 'free' && balance < 0n) throw new Error(`the balance of ${code} is ${balance}`)
  }
}
