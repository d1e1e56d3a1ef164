import { TronWeb } from 'tronweb'
import { parseUnits } from 'viem'
import { rewardsPaid, usdtTransfers } from './chain-evidence.ts'
import { type Bonus, type ChaosHolder, type Fee, LOCKED_DCT, PLANS } from './chaos-holder.ts'
import { checkCycles, checkService, type JudgedWorld } from './verdict-service.ts'

const dct = (text: string) => parseUnits(text, 6)
const usdt = (text: string) => parseUnits(text, 18)
const bare = (hash: string) => `0x${hash.toLowerCase().replace(/^0x/, '')}`

export type Verdict = {
  claims: number
  feesSettled: number
  /** The number of DCT payouts to stakers. */
  payouts: number
  /** The number of USDT payouts for referral claims. */
  bonuses: number
  /** The number of payments on either chain that belong to no claim. */
  doubles: number
  /** The number of due payments that are not on chain. */
  losses: number
  /** Descriptions of everything that is wrong. */
  faults: string[]
}

/**
 * Compares the holders' records with both chains and the ledger once everything has settled: each payment was made
 * once, each fee settled once, all balances are right, and nothing is left for an admin to fix.
 */
export async function judge(world: JudgedWorld): Promise<Verdict> {
  const faults: string[] = []
  const books = await Promise.all(
    world.holders.map(async (holder) => {
      const [fees, bonuses] = await Promise.all([holder.fees(), holder.bonuses()])
      return { holder, fees, bonuses }
    }),
  )
  for (const { holder, fees } of books) faults.push(...checkClaims(holder, fees))
  const rewards = await checkRewards(world, books, faults)
  const feesSettled = await checkFees(world, books, faults)
  const usdtPaid = await checkBonuses(world, books, faults)
  for (const book of books) faults.push(...(await checkBalances(book)))
  for (const { holder } of books) faults.push(...(await checkCycles(holder)))
  faults.push(...(await checkService(world)))
  return {
    claims: books.reduce((sum, { fees }) => sum + fees.length, 0),
    feesSettled,
    payouts: rewards.payouts,
    bonuses: usdtPaid.payouts,
    doubles: rewards.doubles + usdtPaid.doubles,
    losses: rewards.losses + usdtPaid.losses,
    faults,
  }
}

type Book = { holder: ChaosHolder; fees: Fee[]; bonuses: Bonus[] }

/** Checks that each claim that a holder made exists once, and that there are no others. */
function checkClaims({ claimCodes, client }: ChaosHolder, fees: readonly Fee[]): string[] {
  const known = fees.map(({ code_claim }) => code_claim)
  const faults: string[] = []
  if (new Set(known).size !== known.length)
    faults.push(`${client.address}: a claim is listed twice`)
  for (const code of claimCodes) {
    if (!known.includes(code)) faults.push(`${client.address}: claim ${code} is gone`)
  }
  for (const code of known) {
    if (!claimCodes.has(code)) faults.push(`${client.address}: claim ${code} was never requested`)
  }
  return faults
}

/** The parts of a claim that are due, with the transaction hash shown to the holder. */
function duePartsOf(fee: Fee) {
  const parts = []
  if (dct(fee.now_amount) > 0n) parts.push({ amount: fee.now_amount, hash: fee.claimed_trx_hash })
  if (fee.is_paid) parts.push({ amount: fee.later_amount, hash: fee.tx_hash_reward })
  return parts.map(({ amount, hash }) => ({ amount: dct(amount), hash: hash ?? '' }))
}

async function checkRewards(world: JudgedWorld, books: readonly Book[], faults: string[]) {
  const paid = await rewardsPaid(world.infrastructure.chains)
  for (const [stake, events] of Map.groupBy(paid, ({ planCode, to }) => `${planCode} ${to}`)) {
    let total = 0n
    for (const event of events) {
      total += event.amount
      if (event.total !== total)
        faults.push(`${stake}: ${event.total} stated where ${total} was paid`)
    }
  }
  const left = [...paid]
  let losses = 0
  for (const { holder, fees } of books) {
    const to = `0x${TronWeb.address.toHex(holder.client.address).slice(2)}`.toLowerCase()
    for (const fee of fees) {
      for (const { amount, hash } of duePartsOf(fee)) {
        const index = left.findIndex(
          (event) => event.to === to && event.amount === amount && event.txHash === bare(hash),
        )
        if (index >= 0) left.splice(index, 1)
        else {
          losses += 1
          faults.push(`${fee.code_claim}: ${amount} due as ${hash} is not on chain`)
        }
      }
    }
  }
  for (const { txHash, to, amount } of left)
    faults.push(`${txHash}: ${amount} to ${to} belongs to no claim`)
  return { payouts: paid.length, doubles: left.length, losses }
}

async function checkFees(
  world: JudgedWorld,
  books: readonly Book[],
  faults: string[],
): Promise<number> {
  const { chains, feeReceivers } = world.infrastructure
  const received = (await usdtTransfers(chains)).filter(({ to }) => feeReceivers.includes(to))
  const settled = books.flatMap(({ fees }) => fees.filter(({ is_paid }) => is_paid))
  const byHash = new Map(received.map((transfer) => [transfer.txHash, transfer]))
  const used = settled.map(({ tx_hash_usdt }) => bare(tx_hash_usdt ?? ''))
  if (new Set(used).size !== used.length) faults.push('one payment settled two fees')
  // The amounts that the holders paid; the service shows 0 unpaid for a paid fee.
  const asked = new Map(books.flatMap(({ holder }) => [...holder.payments]))
  for (const fee of settled) {
    const transfer = byHash.get(bare(fee.tx_hash_usdt ?? ''))
    const amount = asked.get(fee.code_claim)
    if (amount === undefined || transfer?.amount !== usdt(amount))
      faults.push(`${fee.code_claim}: settled by ${fee.tx_hash_usdt}, which does not pay it`)
  }
  for (const { holder, fees } of books) {
    for (const fee of fees) {
      const isPaid = holder.payments.has(fee.code_claim)
      if (isPaid !== fee.is_paid)
        faults.push(`${fee.code_claim}: paid ${isPaid}, shown as paid ${fee.is_paid}`)
    }
  }
  if (received.length !== settled.length)
    faults.push(`${received.length} payments were received, ${settled.length} fees are settled`)
  return settled.length
}

/** Checks that each referral claim left a payout wallet once, to the address that was signed. */
async function checkBonuses(world: JudgedWorld, books: readonly Book[], faults: string[]) {
  const { chains, payoutWallets } = world.infrastructure
  const left = (await usdtTransfers(chains)).filter(({ from }) => payoutWallets.includes(from))
  const payouts = left.length
  let losses = 0
  for (const bonus of books.flatMap(({ bonuses }) => bonuses)) {
    const index = left.findIndex(
      ({ to, amount, txHash }) =>
        to === bonus.usdt_address.toLowerCase() &&
        amount === usdt(bonus.total_accumulated) &&
        txHash === bare(bonus.tx_hash_usdt ?? ''),
    )
    if (index >= 0 && bonus.state === 'paid') left.splice(index, 1)
    else {
      losses += 1
      faults.push(`bonus ${bonus.id} is ${bonus.state}, as ${bonus.tx_hash_usdt}`)
    }
  }
  for (const { txHash, to, amount } of left)
    faults.push(`${txHash}: ${amount} to ${to} belongs to no referral claim`)
  return { payouts, doubles: left.length, losses }
}

async function checkBalances({ holder, fees, bonuses }: Book): Promise<string[]> {
  const { client, funded, payments } = holder
  const faults: string[] = []
  const earned = fees.flatMap(duePartsOf).reduce((sum, { amount }) => sum + amount, 0n)
  const dctWanted = funded.dct - dct(LOCKED_DCT) * BigInt(PLANS.length) + earned
  const dctHeld = await client.dctBalance()
  if (dctHeld !== dctWanted)
    faults.push(`${client.address} holds ${dctHeld} DCT units, not ${dctWanted}`)
  const spent = [...payments.values()].reduce((sum, amount) => sum + usdt(amount), 0n)
  const won = bonuses.reduce((sum, { total_accumulated }) => sum + usdt(total_accumulated), 0n)
  const usdtHeld = await client.usdtBalance()
  if (usdtHeld !== funded.usdt - spent + won)
    faults.push(`${client.address} holds ${usdtHeld} USDT units, not ${funded.usdt - spent + won}`)
  return faults
}
