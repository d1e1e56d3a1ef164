/** A person's two wallets, and what they can do on the chains without asking anybody. */

import { createHash } from 'node:crypto'
import { rewardPoolAbi, stakingAbi, tokenAbi } from '@dct/contract-abi'
import { type Abi, concat, encodeFunctionData, type Hex, keccak256, stringToHex } from 'viem'
import { sign } from 'viem/accounts'
import { offeredGasPrice } from '../chains/bsc-state.ts'
import type { SimulatedChain } from '../chains/chain.ts'
import { accountOf, type Chains, keyOf, PLACES, tronText } from './chains.ts'
import { noteSigner } from './signatures.ts'

export type Wallet = {
  name: string
  key: Hex
  /** 20 bytes, the same on both chains. */
  address: Hex
  tronAddress: string
}

export function walletOf(name: string): Wallet {
  const address = accountOf(name)
  return { name, key: keyOf(name), address, tronAddress: tronText(address) }
}

/** `signMessageV2`. */
export async function signText({ key }: Wallet, text: string): Promise<Hex> {
  const length = Buffer.byteLength(text)
  const whole = concat([stringToHex(`\x19TRON Signed Message:\n${length}`), stringToHex(text)])
  const hash = keccak256(whole)
  const signature = await sign({ hash, privateKey: key, to: 'hex' })
  noteSigner(key, { hash, signature })
  return signature
}

let sent = 0
/** Hashes of wallets' transactions only have to differ, and to be the same in every run of a seed. */
export function restartHashes(): void {
  sent = 0
}

function send<S>(
  chain: SimulatedChain<S>,
  from: Hex,
  call: { to: Hex; data: Hex },
  extra: object = {},
): Hex {
  sent += 1
  const text = `${chain.rules.name} ${from} ${call.to} ${call.data} ${sent}`
  const hash: Hex = `0x${createHash('sha256').update(text).digest('hex')}`
  chain.send({ hash, from, ...call, ...extra, isByHand: true })
  return hash
}

export function encode(abi: Abi, functionName: string, args: readonly unknown[]): Hex {
  return encodeFunctionData({ abi, functionName, args } as Parameters<typeof encodeFunctionData>[0])
}

export function sendOnTron({ tron }: Chains, from: Hex, call: { to: Hex; data: Hex }): Hex {
  return send(tron, from, call)
}

export function sendUsdt(
  chains: Chains,
  from: Hex,
  { to, value }: { to: Hex; value: bigint },
): Hex {
  return sendOnBsc(chains, from, {
    to: PLACES.usdt,
    data: encode(tokenAbi, 'transfer', [to, value]),
  })
}

export function sendOnBsc({ bsc }: Chains, from: Hex, call: { to: Hex; data: Hex }): Hex {
  const mined = bsc.state.nonces.get(from) ?? 0
  const nonce = mined + bsc.waiting.filter((one) => one.from === from).length
  const gasPrice = offeredGasPrice(bsc.state)
  return send(bsc, from, call, { nonce, gasPrice })
}

export function joinOnChain(
  chains: Chains,
  wallet: Wallet,
  join: { amount: bigint; plan: string; days: number },
): Hex {
  const approve = encode(tokenAbi, 'approve', [PLACES.staking, join.amount])
  sendOnTron(chains, wallet.address, { to: PLACES.token, data: approve })
  const data = encode(stakingAbi, 'joinStake', [join.amount, join.plan, BigInt(join.days)])
  return sendOnTron(chains, wallet.address, { to: PLACES.staking, data })
}

export function fundPlan(
  chains: Chains,
  wallet: Wallet,
  { plan, amount }: { plan: string; amount: bigint },
): Hex {
  const approve = encode(tokenAbi, 'approve', [PLACES.pool, amount])
  sendOnTron(chains, wallet.address, { to: PLACES.token, data: approve })
  const data = encode(rewardPoolAbi, 'addRewardForPlan', [plan, amount])
  return sendOnTron(chains, wallet.address, { to: PLACES.pool, data })
}

export function callPool(
  chains: Chains,
  from: Hex,
  functionName: string,
  args: readonly unknown[],
): Hex {
  return sendOnTron(chains, from, {
    to: PLACES.pool,
    data: encode(rewardPoolAbi, functionName, args),
  })
}

/** Gives a wallet what it needs to begin. */
export function endow({ tron, bsc }: Chains, { address }: Wallet): void {
  tron.state.token.balances.set(address, 1_000_000_000n)
  tron.state.trx.set(address, 10n ** 12n)
  bsc.state.usdt.balances.set(address, 1_000n * 10n ** 18n)
  bsc.state.bnb.set(address, 10n ** 21n)
}
