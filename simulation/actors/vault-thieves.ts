/** Thieves with the key that makes the vault pay, and its owner, who stops them. */
import { payoutVaultAbi } from '@dct/contract-abi'
import type { Hex } from 'viem'
import { claimText, leftToday, paidOf, type VaultClaim } from '../chains/payout-vault.ts'
import type { Stage } from '../story/stage.ts'
import { BSC_CHAIN_ID, PLACES } from '../world/chains.ts'
import { encode, endow, sendOnBsc, signText, walletOf } from '../world/wallet.ts'
import { choose, type Play } from './act.ts'

const MILLIONTH = 10n ** 12n

function vaultOf({ world }: Stage) {
  const { state, head } = world.chains.bsc
  return { vault: state.vault, nowS: BigInt(Math.floor(head.time / 1_000)), chainId: BSC_CHAIN_ID }
}

/** Whether the service pays referrers from the vault; before it does, whatever leaves the vault is nobody's. */
async function isInUse(stage: Stage): Promise<boolean> {
  const { body } = await stage.api.ask('GET', '/config')
  return JSON.stringify(body).toLowerCase().includes(`"payout_address":"${PLACES.vault}"`)
}

function pay(stage: Stage, claim: VaultClaim, amount: bigint): void {
  const { vault } = vaultOf(stage)
  const before = paidOf(vault, claim.account, claim.kind)
  const data = encode(payoutVaultAbi, 'pay', [claim, before, amount])
  sendOnBsc(stage.world.chains, vault.operator, { to: PLACES.vault, data })
  stage.thefts += 1
  stage.coverage.reach('fault', 'stolen payout key')
}

/** The thief pays a referrer what they signed for, before the service does or after it was declined. */
export const payAClaim: Play = async (stage, [which, much]) => {
  if (stage.signedClaims.length === 0 || !(await isInUse(stage))) return
  const claim = choose(stage.signedClaims, which)
  const { vault } = vaultOf(stage)
  const left = claim.total * MILLIONTH - paidOf(vault, claim.account, claim.kind)
  const amount = choose([left, left / 2n, 1n], much)
  if (amount <= 0n) return
  pay(stage, claim, amount)
  stage.say(
    `a thief with the payout key makes the vault pay ${amount} base units of a signed claim`,
  )
}

/** An accomplice signs a claim that nobody owes, and the thief pays as much as leaves the vault in a day. */
export const payAnAccomplice: Play = async (stage, [much]) => {
  const accomplice = walletOf('accomplice')
  const { vault, nowS, chainId } = vaultOf(stage)
  const held = stage.world.chains.bsc.state.usdt.balances.get(PLACES.vault) ?? 0n
  if (!(await isInUse(stage))) return
  const left = leftToday({ vault, nowS })
  const amount = (left < held ? left : held) / BigInt(choose([1, 3, 50], much))
  if (amount === 0n) return
  const paid = paidOf(vault, accomplice.address, 0)
  const total = (paid + amount) / MILLIONTH + 1n
  const unsigned: VaultClaim = {
    ...{ account: accomplice.address, kind: 0, to: walletOf('thief').address },
    ...{ claimed: total, total, opening: 'We ask nobody', closing: 'Nonce: 0', signature: '0x' },
  }
  const signature = await signText(accomplice, claimText({ vault, chainId }, unsigned))
  pay(stage, { ...unsigned, signature }, amount)
  stage.stolenUsdt += amount
  stage.say(`a thief with the payout key makes the vault pay an accomplice ${amount} base units`)
}

/** The owner stops the vault, lets it go on, or changes what leaves in a day. */
export const ruleTheVault: Play = async (stage, [which]) => {
  const { chains } = stage.world
  const owner = walletOf('owner')
  endow(chains, owner)
  const ask = (name: string, args: readonly unknown[] = []): Hex =>
    sendOnBsc(chains, owner.address, {
      to: PLACES.vault,
      data: encode(payoutVaultAbi, name, args),
    })
  const name = choose(['pausePayouts', 'unpausePayouts', 'setDailyLimit'] as const, which)
  if (name === 'setDailyLimit') ask(name, [choose([10n ** 16n, 10n ** 22n], which)])
  else ask(name)
  stage.coverage.reach('fault', `vault ${name}`)
  stage.say(`the owner of the vault calls ${name}`)
}

/** The owner lets the vault pay again. */
export function freeTheVault({ world }: Stage): void {
  world.chains.bsc.state.vault.isPaused = false
  world.chains.bsc.state.vault.dailyLimit = 10n ** 22n
  world.chains.tron.state.pool.isPaused = false
}
