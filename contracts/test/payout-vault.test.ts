import { payoutVaultAbi } from '@dct/contract-abi'
import { payoutVaultBytecode } from '@dct/contract-abi/bytecode'
import { type Address, encodeFunctionData, type Hex, parseEventLogs, zeroAddress } from 'viem'
import { expect, test } from 'vitest'
import { addressOf, type Chain, logsOf, refusalOf, useChain } from './support/chain.ts'
import { armToken, deployHostileToken, reentryOf, setTokenBehaviour } from './support/hostile.ts'
import { balanceOf, DAY, OPERATOR, OWNER, STRANGER, type Token } from './support/system.ts'
import {
  type Claim,
  DAILY_LIMIT,
  deployVault,
  MILLIONTH,
  paidOf,
  signClaim,
  tronDigest,
  USDT,
  type Vault,
  walletOf,
} from './support/vault.ts'

const REFERRER = walletOf('referrer')
const OTHER = walletOf('other referrer')
const RECEIVER = addressOf('receiver')

let chain: Chain
let vault: Vault
let usdt: Token

useChain(async (started) => {
  chain = started
  const deployed = await deployVault(chain)
  vault = deployed.vault
  usdt = deployed.usdt as unknown as Token
})

type Payment = { paidBefore?: bigint; amount?: bigint; from?: Address; vault?: Vault }
const pay = (claim: Claim, payment: Payment = {}) => {
  const { paidBefore = 0n, amount = claim.total * MILLIONTH, from = OPERATOR } = payment
  return chain.send(from, payment.vault ?? vault, 'pay', [claim, paidBefore, amount])
}
const refused = (call: () => Promise<unknown>) => refusalOf(call, payoutVaultAbi)
const payoutOf = (account: Address, kind = 0) => paidOf(chain, vault, account, kind)
const leftToday = () => chain.client.readContract({ ...vault, functionName: 'leftToday' })

const build = (token: Address, owner: Address, operator: Address) =>
  chain.deploy(OWNER, {
    abi: payoutVaultAbi,
    bytecode: payoutVaultBytecode,
    args: [token, owner, operator, DAILY_LIMIT],
  })

/** Nothing was paid by a refused call. */
async function expectNothingPaid() {
  expect(await balanceOf(chain, usdt, RECEIVER)).toBe(0n)
  expect(await payoutOf(REFERRER.address)).toBe(0n)
  expect(await leftToday()).toBe(DAILY_LIMIT)
}

test('the vault cannot be deployed without a token of at least six decimals, an owner and an operator', async () => {
  const zero = ['PayoutVault_ZeroAddress']
  expect(await refused(() => build(zeroAddress, OWNER, OPERATOR))).toEqual(zero)
  expect(await refused(() => build(usdt.address, OWNER, zeroAddress))).toEqual(zero)
  expect(await refused(() => build(usdt.address, zeroAddress, OPERATOR))).toEqual([
    'OwnableInvalidOwner',
    zeroAddress,
  ])
  const coarse = await deployHostileToken(chain, 5)
  expect(await refused(() => build(coarse.address, OWNER, OPERATOR))).toEqual([
    'PayoutVault_TooFewDecimals',
    5,
  ])
})

test('the vault returns its token, owner, operator and daily limit', async () => {
  const read = (functionName: 'token' | 'owner' | 'operator' | 'dailyLimit') =>
    chain.client.readContract({ ...vault, functionName })
  expect(await read('token')).toBe(usdt.address)
  expect(await read('owner')).toBe(OWNER)
  expect(await read('operator')).toBe(OPERATOR)
  expect(await read('dailyLimit')).toBe(DAILY_LIMIT)
})

test('the branch tree lists every function that writes to the vault', () => {
  const writing = payoutVaultAbi.flatMap((item) =>
    item.type === 'function' && item.stateMutability === 'nonpayable' ? [item.name] : [],
  )
  expect(writing.toSorted()).toEqual([
    'acceptOwnership',
    'pausePayouts',
    'pay',
    'publishOwed',
    'setDailyLimit',
    'setOperator',
    'transferOwnership',
    'unpausePayouts',
    'withdraw',
  ])
})

test('a signed claim is paid to its receiver, and counted for its account and the day', async () => {
  const claim = await signClaim(vault, REFERRER, { claimed: 12_500_000n })
  const receipt = await pay(claim)
  expect(await balanceOf(chain, usdt, RECEIVER)).toBe(12_500_000n * MILLIONTH)
  expect(await payoutOf(REFERRER.address)).toBe(12_500_000n * MILLIONTH)
  expect(await payoutOf(REFERRER.address, 1)).toBe(0n)
  expect(await payoutOf(OTHER.address)).toBe(0n)
  expect(await leftToday()).toBe(DAILY_LIMIT - 12_500_000n * MILLIONTH)
  const [event] = parseEventLogs({ abi: payoutVaultAbi, logs: logsOf(receipt, vault) })
  expect(event).toMatchObject({
    eventName: 'ReferralPaid',
    args: {
      account: REFERRER.address,
      kind: 0,
      to: RECEIVER,
      amount: 12_500_000n * MILLIONTH,
      total: 12_500_000n * MILLIONTH,
    },
  })
})

test('a claim can be paid in parts, up to its total and no further', async () => {
  const claim = await signClaim(vault, REFERRER, { claimed: 3_000_000n })
  await pay(claim, { amount: 1n * USDT })
  await pay(claim, { paidBefore: 1n * USDT, amount: 2n * USDT })
  const beyond = () => pay(claim, { paidBefore: 3n * USDT, amount: 1n })
  expect(await refused(beyond)).toEqual(['PayoutVault_BeyondClaim', 3n * USDT, 3n * USDT + 1n])
  const later = await signClaim(vault, REFERRER, { claimed: 1n, total: 3_000_001n })
  await pay(later, { paidBefore: 3n * USDT, amount: MILLIONTH })
  expect(await balanceOf(chain, usdt, RECEIVER)).toBe(3n * USDT + MILLIONTH)
})

test('the same payment is never made twice, nor under another history', async () => {
  const claim = await signClaim(vault, REFERRER, { claimed: 3_000_000n })
  await pay(claim, { amount: USDT })
  const differs = ['PayoutVault_PaidDiffers', USDT]
  expect(await refused(() => pay(claim, { amount: USDT }))).toEqual(differs)
  expect(await refused(() => pay(claim, { paidBefore: 2n * USDT, amount: USDT }))).toEqual(differs)
  expect(await balanceOf(chain, usdt, RECEIVER)).toBe(USDT)
})

test('only the operator pays, and nobody during a pause', async () => {
  const claim = await signClaim(vault, REFERRER)
  for (const from of [OWNER, STRANGER, REFERRER.address]) {
    expect(await refused(() => pay(claim, { from }))).toEqual(['PayoutVault_OnlyOperator', from])
  }
  await chain.send(OWNER, vault, 'pausePayouts', [])
  expect(await refused(() => pay(claim))).toEqual(['EnforcedPause'])
  await expectNothingPaid()
  await chain.send(OWNER, vault, 'unpausePayouts', [])
  await pay(claim)
})

test('an amount of zero is refused', async () => {
  const claim = await signClaim(vault, REFERRER)
  expect(await refused(() => pay(claim, { amount: 0n }))).toEqual(['PayoutVault_ZeroAmount'])
})

test('the vault pays neither the zero address, nor itself, nor the token', async () => {
  for (const to of [zeroAddress, vault.address, usdt.address]) {
    const claim = await signClaim(vault, REFERRER, { to })
    expect(await refused(() => pay(claim))).toEqual(['PayoutVault_InvalidReceiver', to])
  }
})

test('no more than the daily limit leaves in a day, and each day (UTC) has its own', async () => {
  const midnight = ((await chain.now()) / DAY + 2n) * DAY
  const claim = await signClaim(vault, REFERRER, { claimed: 5_000_000_000n })
  await chain.at(midnight)
  await pay(claim, { amount: DAILY_LIMIT - 1n })
  await chain.at(midnight + DAY - 2n)
  const beyond = await refused(() => pay(claim, { paidBefore: DAILY_LIMIT - 1n, amount: 2n }))
  expect(beyond).toEqual(['PayoutVault_BeyondDailyLimit', 1n, 2n])
  await chain.at(midnight + DAY - 1n)
  await pay(claim, { paidBefore: DAILY_LIMIT - 1n, amount: 1n })
  await chain.at(midnight + DAY)
  await pay(claim, { paidBefore: DAILY_LIMIT, amount: DAILY_LIMIT })
  expect(await leftToday()).toBe(0n)
})

test('a changed limit counts what left earlier that day, and emits DailyLimitChanged', async () => {
  const claim = await signClaim(vault, REFERRER, { claimed: 500_000_000n })
  await pay(claim, { amount: 100n * USDT })
  const receipt = await chain.send(OWNER, vault, 'setDailyLimit', [150n * USDT])
  const [event] = parseEventLogs({ abi: payoutVaultAbi, logs: logsOf(receipt, vault) })
  expect(event).toMatchObject({ args: { previousLimit: DAILY_LIMIT, newLimit: 150n * USDT } })
  expect(await leftToday()).toBe(50n * USDT)
  await chain.send(OWNER, vault, 'setDailyLimit', [90n * USDT])
  expect(await leftToday()).toBe(0n)
  const payment = { paidBefore: 100n * USDT, amount: 1n }
  expect(await refused(() => pay(claim, payment))).toEqual(['PayoutVault_BeyondDailyLimit', 0n, 1n])
})

test('the readable text is what the wallet signs, whatever the amounts', async () => {
  const amounts = [0n, 1n, 999_999n, 1_000_000n, 1_000_001n, 10_500_000n, 123_456_789_000_000n]
  for (const total of amounts) {
    const claim = await signClaim(vault, REFERRER, { claimed: total, total, kind: 1 })
    const text = await chain.client.readContract({
      ...vault,
      functionName: 'claimText',
      args: [claim],
    })
    expect(await REFERRER.sign({ hash: tronDigest(text) })).toBe(claim.signature)
  }
  const claim = await signClaim(vault, REFERRER, { claimed: 500_000n, total: 12_000_000n })
  const { claimText } = { claimText: [claim] as const }
  const text = await chain.client.readContract({
    ...vault,
    functionName: 'claimText',
    args: claimText,
  })
  expect(text.split('\n\n')[1]).toBe(
    'Claim 0.500000 USDT of my referral reward (direct), 12.000000 USDT with all earlier claims, ' +
      `to the BSC (BEP20) address ${RECEIVER}, from the vault ${vault.address} on chain 31337.`,
  )
})

const NOT_SIGNED = 'PayoutVault_NotSignedBy'

test.each<[string, (claim: Claim) => Partial<Claim> | Promise<Partial<Claim>>]>([
  ['another account', () => ({ account: OTHER.address })],
  ['the zero account', () => ({ account: zeroAddress })],
  ['another kind', () => ({ kind: 1 })],
  ['another receiver', () => ({ to: addressOf('thief') })],
  ['another amount', (claim) => ({ claimed: claim.claimed + 1n })],
  ['a higher total', (claim) => ({ total: claim.total + 1n })],
  ['a lower total', (claim) => ({ total: claim.total - 1n })],
  ['another opening', (claim) => ({ opening: `${claim.opening} ` })],
  ['another closing', (claim) => ({ closing: `${claim.closing}\n` })],
  ['text moved over the statement', (claim) => ({ opening: '', closing: claim.opening })],
  ['an empty signature', () => ({ signature: '0x' })],
  ['a cut signature', (claim) => ({ signature: claim.signature.slice(0, -2) as Hex })],
  ['a longer signature', (claim) => ({ signature: `${claim.signature}00` })],
  ['a mirrored signature', ({ signature }) => ({ signature: mirrored(signature) })],
  ['a signature of zeros', () => ({ signature: `0x${'00'.repeat(64)}1b` })],
])('a claim with %s than was signed is refused', async (_name, change) => {
  const claim = await signClaim(vault, REFERRER)
  const changed = { ...claim, ...(await change(claim)) }
  const error = await refused(() => pay(changed, { amount: USDT }))
  expect(error).toEqual([NOT_SIGNED, changed.account])
  await expectNothingPaid()
})

/** The other signature of the same text: s beyond half of the order, v exchanged. */
function mirrored(signature: Hex): Hex {
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
  const s = order - BigInt(`0x${signature.slice(66, 130)}`)
  const v = signature.endsWith('1b') ? '1c' : '1b'
  return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, '0')}${v}`
}

test('a claim for another vault or chain is refused', async () => {
  const { vault: second } = await deployVault(chain)
  for (const wish of [{ vault: second.address }, { chainId: 56n }]) {
    const claim = await signClaim(vault, REFERRER, wish)
    expect(await refused(() => pay(claim))).toEqual([NOT_SIGNED, REFERRER.address])
  }
  const claim = await signClaim(vault, REFERRER)
  const replayed = () => pay(claim, { vault: second })
  expect(await refused(replayed)).toEqual([NOT_SIGNED, REFERRER.address])
})

test('a text signed with another prefix or length than a Tron wallet writes is refused', async () => {
  const claim = await signClaim(vault, REFERRER)
  const text = await chain.client.readContract({
    ...vault,
    functionName: 'claimText',
    args: [claim],
  })
  const digests = [
    tronDigest(text, '\x19Ethereum Signed Message:\n'),
    tronDigest(text, '\x19TRON Signed Message:\n32'),
    tronDigest(text, ''),
    tronDigest(`${text} `),
  ]
  for (const hash of digests) {
    const signature = await REFERRER.sign({ hash })
    const error = await refused(() => pay({ ...claim, signature }))
    expect(error).toEqual([NOT_SIGNED, REFERRER.address])
  }
})

test('the length is that of the bytes, where the text has other letters than ASCII', async () => {
  const claim = await signClaim(vault, REFERRER)
  const changed = { ...claim, opening: 'Klaim ✓ di dçt.example' }
  const text = await chain.client.readContract({
    ...vault,
    functionName: 'claimText',
    args: [changed],
  })
  const signature = await REFERRER.sign({ hash: tronDigest(text) })
  await pay({ ...changed, signature })
  expect(await payoutOf(REFERRER.address)).toBe(12_500_000n * MILLIONTH)
})

test('a payment beyond what the vault holds is refused and counts for nothing', async () => {
  await chain.send(OWNER, vault, 'withdraw', [OWNER, 100_000n * USDT - 1n])
  const claim = await signClaim(vault, REFERRER)
  const [error] = await refused(() => pay(claim))
  expect(error).toBe('TokenTransfers_CallFailed')
  await expectNothingPaid()
})

test.each(['lies', 'taxesReceiver', 'taxesSender', 'stuck'] as const)(
  'a payment with a token that %s is refused and counts for nothing',
  async (behaviour) => {
    const token = await deployHostileToken(chain, 18)
    const { vault: hostile } = await deployVault(chain, { token: token.address })
    const claim = await signClaim(hostile, REFERRER)
    await setTokenBehaviour(chain, token, behaviour)
    const [error] = await refused(() => pay(claim, { vault: hostile }))
    expect(error).toMatch(/^TokenTransfers_/)
    expect(await paidOf(chain, hostile, REFERRER.address)).toBe(0n)
    await setTokenBehaviour(chain, token, 'honest')
    await pay(claim, { vault: hostile })
  },
)

test.each(['mute', 'denies'] as const)(
  'a token that delivers and %s is paid with',
  async (behaviour) => {
    const token = await deployHostileToken(chain, 18)
    const { vault: hostile } = await deployVault(chain, { token: token.address })
    await setTokenBehaviour(chain, token, behaviour)
    await pay(await signClaim(hostile, REFERRER), { vault: hostile })
    expect(await balanceOf(chain, token, RECEIVER)).toBe(12_500_000n * MILLIONTH)
  },
)

test('a token that calls back cannot cause a second payment', async () => {
  const token = await deployHostileToken(chain, 18)
  const { vault: hostile } = await deployVault(chain, { token: token.address })
  await chain.send(OWNER, hostile, 'setOperator', [token.address])
  const claim = await signClaim(hostile, REFERRER)
  const inner = encodeFunctionData({
    abi: payoutVaultAbi,
    functionName: 'pay',
    args: [claim, USDT, USDT],
  })
  await armToken(chain, token, hostile.address, inner)
  await pay(claim, { vault: hostile, from: token.address, amount: USDT })
  expect((await reentryOf(chain, token)).succeeded).toBe(false)
  expect(await balanceOf(chain, token, RECEIVER)).toBe(USDT)
})

test('the owner withdraws to any address, during a pause too; nobody else does', async () => {
  await chain.send(OWNER, vault, 'pausePayouts', [])
  const receipt = await chain.send(OWNER, vault, 'withdraw', [RECEIVER, 5n])
  expect(await balanceOf(chain, usdt, RECEIVER)).toBe(5n)
  const [event] = parseEventLogs({ abi: payoutVaultAbi, logs: logsOf(receipt, vault) })
  expect(event).toMatchObject({ eventName: 'Withdrawn', args: { to: RECEIVER, amount: 5n } })
  const nothing = () => chain.send(OWNER, vault, 'withdraw', [RECEIVER, 0n])
  expect(await refused(nothing)).toEqual(['PayoutVault_ZeroAmount'])
})

test('a new operator pays at once, and the former one no more', async () => {
  const receipt = await chain.send(OWNER, vault, 'setOperator', [STRANGER])
  const [event] = parseEventLogs({ abi: payoutVaultAbi, logs: logsOf(receipt, vault) })
  expect(event).toMatchObject({ args: { previousOperator: OPERATOR, newOperator: STRANGER } })
  const claim = await signClaim(vault, REFERRER)
  expect(await refused(() => pay(claim))).toEqual(['PayoutVault_OnlyOperator', OPERATOR])
  await pay(claim, { from: STRANGER })
  const zero = () => chain.send(OWNER, vault, 'setOperator', [zeroAddress])
  expect(await refused(zero)).toEqual(['PayoutVault_ZeroAddress'])
})

test('only the owner has the owner’s functions; ownership moves in two steps and cannot be renounced', async () => {
  for (const from of [OPERATOR, STRANGER]) {
    const unauthorized = ['OwnableUnauthorizedAccount', from]
    const calls = [
      () => chain.send(from, vault, 'withdraw', [from, 1n]),
      () => chain.send(from, vault, 'setOperator', [from]),
      () => chain.send(from, vault, 'setDailyLimit', [1n]),
      () => chain.send(from, vault, 'pausePayouts', []),
      () => chain.send(from, vault, 'unpausePayouts', []),
      () => chain.send(from, vault, 'renounceOwnership', []),
      () => chain.send(from, vault, 'transferOwnership', [from]),
    ]
    for (const call of calls) expect(await refused(call)).toEqual(unauthorized)
  }
  const renounce = () => chain.send(OWNER, vault, 'renounceOwnership', [])
  expect(await refused(renounce)).toEqual(['PayoutVault_OwnershipNotRenounceable'])
  await chain.send(OWNER, vault, 'transferOwnership', [STRANGER])
  expect(await chain.client.readContract({ ...vault, functionName: 'owner' })).toBe(OWNER)
  await chain.send(STRANGER, vault, 'acceptOwnership', [])
  expect(await chain.client.readContract({ ...vault, functionName: 'owner' })).toBe(STRANGER)
})
