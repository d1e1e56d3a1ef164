/** What contracts/src/PayoutVault.sol does. vault.test.ts compares the two. */
import { payoutVaultAbi } from '@dct/contract-abi'
import { secp256k1 } from '@noble/curves/secp256k1'
import {
  concat,
  getAddress,
  type Hex,
  hexToBytes,
  keccak256,
  stringToBytes,
  stringToHex,
  zeroHash,
} from 'viem'
import { event, Reverted, readCall, result } from './abi.ts'
import type { Log } from './chain.ts'
import { balance, type Effect, lower, move, type TokenState } from './token.ts'

const DAY_S = 86_400n
/** Base units of USDT in a millionth, the unit of a claim. */
const MILLIONTH = 10n ** 12n
export const KIND_NAMES = ['direct', 'non-direct'] as const

export type VaultState = {
  address: Hex
  owner: Hex
  operator: Hex
  isPaused: boolean
  dailyLimit: bigint
  /** Days since 1970, in UTC. */
  today: bigint
  paidToday: bigint
  /** By account and kind. */
  paid: Map<string, bigint>
  /** By day, as YYYYMMDD: what was published of it last. */
  owed: Map<bigint, OwedList>
}

type OwedList = { root: Hex; sum: bigint; times: bigint }

/** What a referrer's wallet signed. Amounts in millionths of a USDT. */
export type VaultClaim = {
  account: Hex
  kind: number
  to: Hex
  claimed: bigint
  total: bigint
  opening: string
  closing: string
  signature: Hex
}

export type VaultCall = {
  vault: VaultState
  token: TokenState
  from: Hex
  nowS: bigint
  chainId: number
}

function refuse(name: string, args: readonly unknown[] = []): never {
  throw new Reverted(payoutVaultAbi, name, args)
}

export function paidOf({ paid }: VaultState, account: Hex, kind: number): bigint {
  return paid.get(`${account} ${kind}`) ?? 0n
}

export function owedOn({ owed }: VaultState, day: bigint): OwedList {
  return owed.get(day) ?? { root: zeroHash, sum: 0n, times: 0n }
}

export function leftToday({ vault, nowS }: Pick<VaultCall, 'vault' | 'nowS'>): bigint {
  const paid = nowS / DAY_S === vault.today ? vault.paidToday : 0n
  return paid < vault.dailyLimit ? vault.dailyLimit - paid : 0n
}

export function callVault(call: VaultCall, data: Hex): Effect {
  const { name, args } = readCall(payoutVaultAbi, data)
  const viewed = viewVault(call, name, args)
  if (viewed !== undefined) return { output: result(payoutVaultAbi, name, viewed.value), logs: [] }
  return { output: '0x', logs: changeVault(call, name, args) }
}

function viewVault(call: VaultCall, name: string, args: readonly unknown[]) {
  const { vault, token } = call
  switch (name) {
    case 'token':
      return { value: token.address }
    case 'operator':
    case 'owner':
    case 'dailyLimit':
      return { value: vault[name] }
    case 'paused':
      return { value: vault.isPaused }
    case 'leftToday':
      return { value: leftToday(call) }
    case 'paidOf':
      return { value: paidOf(vault, lower(args[0]), Number(args[1])) }
    case 'owedOn':
      return { value: owedOn(vault, args[0] as bigint) }
    case 'claimText':
      return { value: claimText(call, args[0] as VaultClaim) }
    default:
      return undefined
  }
}

function changeVault(call: VaultCall, name: string, args: readonly unknown[]): Log[] {
  const { vault, from } = call
  if (name === 'pay') {
    if (vault.isPaused) refuse('EnforcedPause')
    return pay(call, args[0] as VaultClaim, {
      before: args[1] as bigint,
      amount: args[2] as bigint,
    })
  }
  if (name === 'publishOwed') return publishOwed(call, args as [bigint, Hex, bigint])
  if (from !== vault.owner) refuse('OwnableUnauthorizedAccount', [from])
  return rule(call, name, args)
}

function rule({ vault, token }: VaultCall, name: string, args: readonly unknown[]): Log[] {
  const said = (eventName: string, facts: Readonly<Record<string, unknown>>) => [
    event(payoutVaultAbi, vault.address, eventName, facts),
  ]
  switch (name) {
    case 'withdraw': {
      const [to, amount] = [lower(args[0]), args[1] as bigint]
      if (amount === 0n) refuse('PayoutVault_ZeroAmount')
      return [push({ vault, token }, to, amount), ...said('Withdrawn', { to, amount })]
    }
    case 'setOperator': {
      const newOperator = lower(args[0])
      if (BigInt(newOperator) === 0n) refuse('PayoutVault_ZeroAddress')
      const previousOperator = vault.operator
      vault.operator = newOperator
      return said('OperatorChanged', { previousOperator, newOperator })
    }
    case 'setDailyLimit': {
      const [previousLimit, newLimit] = [vault.dailyLimit, args[0] as bigint]
      vault.dailyLimit = newLimit
      return said('DailyLimitChanged', { previousLimit, newLimit })
    }
    case 'pausePayouts':
    case 'unpausePayouts': {
      const isPause = name === 'pausePayouts'
      if (vault.isPaused === isPause) refuse(isPause ? 'EnforcedPause' : 'ExpectedPause')
      vault.isPaused = isPause
      return said(isPause ? 'Paused' : 'Unpaused', { account: vault.owner })
    }
    case 'renounceOwnership':
      return refuse('PayoutVault_OwnershipNotRenounceable')
    default:
      throw new Error(`the simulated vault has no ${name}`)
  }
}

function publishOwed({ vault, from }: VaultCall, [day, root, sum]: [bigint, Hex, bigint]): Log[] {
  if (from !== vault.operator) refuse('PayoutVault_OnlyOperator', [from])
  const times = owedOn(vault, day).times + 1n
  vault.owed.set(day, { root, sum, times })
  return [event(payoutVaultAbi, vault.address, 'OwedPublished', { day, root, sum, times })]
}

/** Tokens that leave, as far as the vault has them. */
function push({ vault, token }: Pick<VaultCall, 'vault' | 'token'>, to: Hex, amount: bigint): Log {
  const held = balance(token, vault.address)
  let moved: Log
  try {
    moved = move(token, { from: vault.address, to, value: amount })
  } catch (error) {
    if (!(error instanceof Reverted)) throw error
    return refuse('TokenTransfers_CallFailed', [error.data])
  }
  if (to === vault.address)
    refuse('TokenTransfers_BalanceMismatch', [vault.address, held - amount, held])
  return moved
}

function pay(
  call: VaultCall,
  claim: VaultClaim,
  { before, amount }: { before: bigint; amount: bigint },
): Log[] {
  const { vault, token, from, nowS } = call
  const [account, to] = [lower(claim.account), lower(claim.to)]
  const paid = paidOf(vault, account, claim.kind)
  if (from !== vault.operator) refuse('PayoutVault_OnlyOperator', [from])
  if (amount === 0n) refuse('PayoutVault_ZeroAmount')
  if (paid !== before) refuse('PayoutVault_PaidDiffers', [paid])
  if (BigInt(to) === 0n || to === vault.address || to === token.address)
    refuse('PayoutVault_InvalidReceiver', [to])
  const total = paid + amount
  const most = claim.total * MILLIONTH
  if (total > most) refuse('PayoutVault_BeyondClaim', [most, total])
  const left = leftToday(call)
  if (amount > left) refuse('PayoutVault_BeyondDailyLimit', [left, amount])
  if (signerOf(claimText(call, claim), claim.signature) !== account)
    refuse('PayoutVault_NotSignedBy', [account])
  const today = nowS / DAY_S
  vault.paidToday = today === vault.today ? vault.paidToday + amount : amount
  vault.today = today
  vault.paid.set(`${account} ${claim.kind}`, total)
  const moved = push(call, to, amount)
  const facts = { account, kind: claim.kind, to, amount, total }
  return [moved, event(payoutVaultAbi, vault.address, 'ReferralPaid', facts)]
}

/** The text that the account's wallet must have signed. */
export function claimText(
  { vault, chainId }: Pick<VaultCall, 'vault' | 'chainId'>,
  claim: VaultClaim,
) {
  const statement =
    `Claim ${decimal(claim.claimed)} USDT of my referral reward (${KIND_NAMES[claim.kind]}), ` +
    `${decimal(claim.total)} USDT with all earlier claims, ` +
    `to the BSC (BEP20) address ${getAddress(claim.to)}, ` +
    `from the vault ${getAddress(vault.address)} on chain ${chainId}.`
  return [claim.opening, statement, claim.closing].join('\n\n')
}

const STATEMENT =
  /^Claim (\d+\.\d{6}) USDT of my referral reward \((direct|non-direct)\), (\d+\.\d{6}) USDT with all earlier claims, to the BSC \(BEP20\) address (0x[0-9a-fA-F]{40}), /

/** The claim that a signed text states; undefined if it states none. */
export function claimIn(text: string, account: Hex, signature: Hex): VaultClaim | undefined {
  const parts = text.split('\n\n')
  const at = parts.findIndex((part) => STATEMENT.test(part))
  const [, claimed, kind, total, to] = STATEMENT.exec(parts[at] ?? '') ?? []
  if (claimed === undefined || kind === undefined || total === undefined || to === undefined)
    return undefined
  const millionths = (decimals: string) => BigInt(decimals.replace('.', ''))
  return {
    ...{ account, kind: kind === 'direct' ? 0 : 1, to: lower(to), signature },
    ...{ claimed: millionths(claimed), total: millionths(total) },
    ...{ opening: parts.slice(0, at).join('\n\n'), closing: parts.slice(at + 1).join('\n\n') },
  }
}

const decimal = (millionths: bigint) =>
  `${millionths / 1_000_000n}.${`${millionths % 1_000_000n}`.padStart(6, '0')}`

/** The wallet that signed a text with `signMessageV2`; undefined if it is no signature. */
function signerOf(text: string, signature: Hex): Hex | undefined {
  const bytes = hexToBytes(signature)
  const recovery = (bytes[64] ?? 0) - 27
  if (bytes.length !== 65 || (recovery !== 0 && recovery !== 1)) return undefined
  const length = stringToBytes(text).length
  const digest = keccak256(
    concat([stringToHex(`\x19TRON Signed Message:\n${length}`), stringToHex(text)]),
  )
  try {
    const signed = secp256k1.Signature.fromCompact(bytes.slice(0, 64)).addRecoveryBit(recovery)
    if (signed.hasHighS()) return undefined
    const key = signed.recoverPublicKey(hexToBytes(digest)).toRawBytes(false)
    return `0x${keccak256(key.slice(1)).slice(26)}`
  } catch {
    return undefined
  }
}
