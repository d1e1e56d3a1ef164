import { devUsdtAbi } from '@dct/contract-abi'
import { type Address, type Hex, isAddressEqual, keccak256 } from 'viem'
import { addressOf, type Chain, Reverted } from './chain.ts'
import { DAY, OPERATOR, OWNER, STRANGER } from './system.ts'
import {
  type Claim,
  DAILY_LIMIT,
  deployVault,
  FUNDS,
  MILLIONTH,
  paidOf,
  signClaim,
  USDT,
  type Vault,
  walletOf,
} from './vault.ts'

/** A law of the vault was broken. */
export class VaultFinding extends Error {
  override name = 'VaultFinding'
}

type Run = { seed: Hex; calls: number; bytecode?: Hex }
type World = {
  chain: Chain
  vault: Vault
  usdt: Address
  claims: readonly Claim[]
  draw: (below: bigint) => bigint
}

/** The thief has the operator key, and wallets of its own that sign claims of any size. */
const HONEST = ['ann', 'ben', 'cid'].map(walletOf)
const ACCOMPLICE = walletOf('accomplice')
const THIEF = addressOf('thief')

/**
 * Sends random payments with a stolen operator key, between acts of the owner and over several days, and checks after
 * each one that every unit went where a signature says, within the claim's total and the day's limit.
 * @returns the most that left in one day, and how many payments were accepted and refused
 * @throws VaultFinding when a law is broken
 */
export async function fuzzVault(chain: Chain, run: Run) {
  const world = await createWorld(chain, run)
  const seen = { accepted: 0, refused: 0, mostPerDay: 0n }
  const perDay = new Map<bigint, bigint>()
  // A run with one seed meets the same midnights at whatever time of the day it is made.
  await chain.at(((await chain.now()) / DAY + 1n) * DAY)
  await chain.client.mine({ blocks: 1 })
  for (let i = 0; i < run.calls; i++) {
    await passTime(world)
    const from = drawSender(world)
    const before = await leftVault(world)
    const { claim, paidBefore, amount, genuine } = await drawPayment(world)
    const accepted = await attempt(() =>
      chain.send(from, world.vault, 'pay', [claim, paidBefore, amount]),
    )
    const after = await leftVault(world)
    seen[accepted ? 'accepted' : 'refused'] += 1
    const day = (await chain.now()) / DAY
    const left = (perDay.get(day) ?? 0n) + (after - before)
    perDay.set(day, left)
    if (left > seen.mostPerDay) seen.mostPerDay = left
    const holds = (isTrue: boolean, law: string) => {
      if (!isTrue) throw new VaultFinding(`FUZZ_SEED=${run.seed}, call ${i}: ${law}`)
    }
    holds(after - before === (accepted ? amount : 0n), 'an accepted payment moves its amount')
    holds(!accepted || isAddressEqual(from, OPERATOR), 'only the operator pays')
    holds(!accepted || genuine, 'a payment follows a claim as it was signed')
    holds(left <= DAILY_LIMIT, 'a day has a limit')
    if (accepted) await checkAccount(world, { claim, paidBefore, amount, holds })
  }
  return seen
}

async function createWorld(chain: Chain, { seed, bytecode }: Run): Promise<World> {
  const { vault, usdt } = await deployVault(chain, bytecode ? { bytecode } : {})
  const honest = HONEST.flatMap((wallet, i) =>
    [0, 1].flatMap((kind) =>
      [200_000_000n, 900_000_000n].map((total) => {
        const to = addressOf(`wallet of ${i}`)
        return signClaim(vault, wallet, { kind, to, claimed: 200_000_000n, total })
      }),
    ),
  )
  const greedy = [0, 1].map((kind) =>
    signClaim(vault, ACCOMPLICE, { kind, to: THIEF, total: 10n ** 11n }),
  )
  const claims = await Promise.all([...honest, ...greedy, ...greedy, ...greedy])
  let state = seed
  const draw = (below: bigint) => {
    state = keccak256(state)
    return BigInt(state) % below
  }
  return { chain, vault, usdt: usdt.address, claims, draw }
}

async function passTime({ chain, draw }: World) {
  const seconds = draw(6n) === 0n ? draw(2n * DAY) : draw(3_600n)
  await chain.at((await chain.now()) + 1n + seconds)
}

function drawSender({ draw }: World): Address {
  const kind = draw(12n)
  if (kind === 0n) return STRANGER
  return kind === 1n ? OWNER : OPERATOR
}

/** A payment that may be right, or wrong in one of many ways. */
async function drawPayment({ chain, vault, claims, draw }: World) {
  const signed = claims[Number(draw(BigInt(claims.length)))]
  if (signed === undefined) throw new Error('no claim was drawn')
  const other = claims[Number(draw(BigInt(claims.length)))] ?? signed
  const changes: Partial<Claim>[] = [
    { to: THIEF },
    { account: other.account },
    { kind: 1 - signed.kind },
    { total: signed.total * 10n },
    { claimed: signed.claimed + 1n },
    { signature: other.signature },
  ]
  const claim = { ...signed, ...(draw(4n) === 0n ? changes[Number(draw(6n))] : {}) }
  const genuine = claims.some((one) => JSON.stringify(one, text) === JSON.stringify(claim, text))
  const paid = await paidOf(chain, vault, claim.account, claim.kind)
  const paidBefore = draw(6n) === 0n ? draw(paid + USDT) : paid
  const rest = claim.total * MILLIONTH > paid ? claim.total * MILLIONTH - paid : 0n
  const amounts = [rest, rest + 1n, 1n, draw(DAILY_LIMIT), DAILY_LIMIT, DAILY_LIMIT + 1n]
  return { claim, paidBefore, amount: amounts[Number(draw(6n))] ?? 1n, genuine }
}

const text = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)

async function checkAccount(
  { chain, vault }: World,
  {
    claim,
    paidBefore,
    amount,
    holds,
  }: {
    claim: Claim
    paidBefore: bigint
    amount: bigint
    holds: (isTrue: boolean, law: string) => void
  },
) {
  const paid = await paidOf(chain, vault, claim.account, claim.kind)
  holds(paid === paidBefore + amount, 'a payment adds to what was stated as paid before')
  holds(paid <= claim.total * MILLIONTH, 'an account is paid at most what was signed')
}

async function leftVault({ chain, vault, usdt }: World): Promise<bigint> {
  const held = await chain.client.readContract({
    address: usdt,
    abi: devUsdtAbi,
    functionName: 'balanceOf',
    args: [vault.address],
  })
  return FUNDS - held
}

async function attempt(call: () => Promise<unknown>): Promise<boolean> {
  try {
    await call()
    return true
  } catch (error) {
    if (error instanceof Reverted) return false
    throw error
  }
}
