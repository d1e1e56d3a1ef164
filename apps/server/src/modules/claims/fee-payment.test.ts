import { encodeCall } from '@dct/chain-clients/senders/index'
import { devUsdtAbi, tokenAbi } from '@dct/contract-abi'
import { devUsdtBytecode } from '@dct/contract-abi/bytecode'
import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { parseAmount } from '@dct/money'
import { getContractAddress, type Hex, toHex } from 'viem'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { watcherLoops } from '../../main/loops/loops.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import {
  call,
  createOnBsc,
  deployCode,
  devnet,
  givenPayer,
  givenRealHolder,
  manyTransfersCode,
  type Payer,
} from '../../testing/real-claims.ts'
import { addressesOf, callBsc, dctOf, sendUsdt } from '../../testing/sender-chains.ts'
import type { TestUser } from '../../testing/users.ts'

const host = useChainHost()
const HOLDERS = 14
let real: RealApp
let payer: Payer
let holders: TestUser[]
let receiver: Hex
let usdt: Hex

beforeAll(async () => {
  real = await startRealApp(host())
  receiver = addressesOf(host()).feeReceiver
  usdt = addressesOf(host()).usdt
  payer = await givenPayer(host())
  await devnet(real, 'settle')
  holders = []
  for (let made = 0; made < HOLDERS; made += 1) holders.push(await givenRealHolder(real, host()))
  await devnet(real, 'settle')
  await devnet(real, 'advance', { days: 10 })
}, 120_000)
afterAll(() => real.stop())
afterEach(() => host().control.resumeMining())

type Fee = { code_claim: string; unpaid_fee_usdt: string; is_paid: boolean } & Record<
  string,
  unknown
>

/** An open fee of a holder that no other test uses. */
async function givenOpenFee(claim_type = 'FULL'): Promise<{ holder: TestUser; exact: bigint }> {
  const holder = holders.pop()
  if (holder === undefined) throw new Error('more holders are needed')
  const payload = { earning_plan_code: 'PLAN-360', claim_type }
  const { body } = await call(real, holder, { method: 'POST', url: '/user/claim', payload })
  return { holder, exact: parseAmount('USDT', body.data.unpaid_fee_usdt) }
}

const feeOf = async (holder: TestUser): Promise<Fee> =>
  (await call(real, holder, { url: '/user/pending-claim-fees' })).body.pending_fees[0]

function submit(holder: TestUser, tx_hash_usdt: Hex) {
  const payload = { earning_plan_code: 'PLAN-360', tx_hash_usdt }
  return call(real, holder, { method: 'POST', url: '/user/pay-claim-fee', payload })
}

const pay = (amount: bigint, to = receiver) => sendUsdt(host(), payer.privateKey, { to, amount })
const dctBalance = (holder: TestUser) => dctOf(host(), toHex(holder.address))

async function expectRefused(holder: TestUser, txHash: Hex, code: string) {
  await host().control.finalize()
  const refused = await submit(holder, txHash)
  expect(refused.body.code).toBe(code)
  await devnet(real, 'settle')
  expect(await feeOf(holder)).toMatchObject({ is_paid: false, tx_hash_usdt: null })
  return refused
}

test('[STATE-11, STATE-12, STATE-15, STATE-17, API-27] a HALF claim, from both halves to the final hashes', async () => {
  const { holder, exact } = await givenOpenFee('HALF')
  expect(await feeOf(holder)).toMatchObject({
    is_paid: false,
    claimed_trx_hash: expect.stringMatching(/^RTX-/),
  })
  await devnet(real, 'settle')
  expect(await dctBalance(holder)).toBe(500_000n)
  expect(await feeOf(holder)).toMatchObject({
    claimed_trx_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    tx_hash_reward: null,
  })

  const txHash = await pay(exact)
  const submitted = await submit(holder, txHash)
  expect(submitted).toMatchObject({ status: 202, body: { status: 'submitted' } })
  await devnet(real, 'settle')
  const recorded = await submit(holder, txHash)
  expect(recorded).toMatchObject({
    status: 200,
    body: { status: 'recorded', message: 'Fee successfully paid and recorded!' },
  })
  expect(await feeOf(holder)).toMatchObject({
    is_paid: true,
    tx_hash_usdt: txHash,
    tx_hash_reward: expect.stringMatching(/^[0-9a-f]{64}$/),
    status: 'Done',
  })
  expect(await dctBalance(holder)).toBe(1_000_000n)
})

test('[STATE-10] nothing of a FULL claim is sent before the payment, which is found without a hash', async () => {
  const { holder, exact } = await givenOpenFee('FULL')
  await devnet(real, 'settle')
  expect(await dctBalance(holder)).toBe(0n)
  await pay(exact)
  await devnet(real, 'settle')
  expect(await feeOf(holder)).toMatchObject({ is_paid: true, status: 'Done' })
  expect(await dctBalance(holder)).toBe(1_000_000n)
})

test('[T054] a payment in a token of the same name settles nothing', async () => {
  const { holder, exact } = await givenOpenFee()
  const args = [payer.address] as const
  const clone = deployCode({ abi: devUsdtAbi, bytecode: devUsdtBytecode, args })
  const { address } = await createOnBsc(host(), payer, clone)
  const mint = encodeCall(devUsdtAbi, 'mint', [payer.address, exact])
  await callBsc(host(), payer.privateKey, { to: address, data: mint })
  const data = encodeCall(tokenAbi, 'transfer', [receiver, exact])
  const txHash = await callBsc(host(), payer.privateKey, { to: address, data })
  await expectRefused(holder, txHash, 'PAYMENT_OTHER_TOKEN')
})

test('[T055] a failed transfer or an approval settles nothing', async () => {
  const { holder, exact } = await givenOpenFee()
  const tooMuch = encodeCall(tokenAbi, 'transfer', [receiver, 10n ** 30n])
  const failed = await callBsc(host(), payer.privateKey, { to: usdt, data: tooMuch })
  await expectRefused(holder, failed, 'PAYMENT_FAILED')
  const approval = encodeCall(tokenAbi, 'approve', [receiver, exact])
  const approved = await callBsc(host(), payer.privateKey, { to: usdt, data: approval })
  await expectRefused(holder, approved, 'PAYMENT_WITHOUT_TRANSFER')
})

test('[T056] after a payment to a look-alike address the fee stays open', async () => {
  const { holder, exact } = await givenOpenFee()
  const lookalike: Hex = `0x${receiver.slice(2, 7)}${'0'.repeat(30)}${receiver.slice(-5)}`
  await expectRefused(holder, await pay(exact, lookalike), 'PAYMENT_OTHER_RECIPIENT')
})

test('[FEE-19] [T057] too little or too much settles nothing; the reason states the difference', async () => {
  const { holder, exact } = await givenOpenFee()
  const micro = 10n ** 12n
  const less = await expectRefused(holder, await pay(exact - micro), 'PAYMENT_TOO_LITTLE')
  expect(less.body.message).toContain('too little by 0.000001 USDT')
  const more = await expectRefused(holder, await pay(exact + 1n), 'PAYMENT_TOO_MUCH')
  expect(more.body.message).toContain('too much by 0.000000000000000001 USDT')
  expect(await feeOf(holder)).toMatchObject({
    mismatch: { message: expect.stringContaining('expected exactly') },
  })
})

test('[T058] a second payment of the same fee is recorded, and the first one remains its payment', async () => {
  const { holder, exact } = await givenOpenFee()
  const [first, second] = [await pay(exact), await pay(exact)]
  await devnet(real, 'settle')
  // The holder is told of the second one, although the fee is paid.
  expect(await feeOf(holder)).toMatchObject({
    ...{ is_paid: true, tx_hash_usdt: first },
    mismatch: { tx_hash: second, message: expect.stringContaining('which is paid already') },
  })
  expect(await dctBalance(holder)).toBe(1_000_000n)
  const again = await Promise.all([submit(holder, first), submit(holder, first)])
  expect(again.map(({ status }) => status)).toEqual([200, 200])
  expect((await submit(holder, second)).status).toBe(404)
})

test('[T059] a payment settles only the fee with its exact amount, whoever submits it', async () => {
  const victim = await givenOpenFee()
  const thief = await givenOpenFee()
  const txHash = await pay(victim.exact)
  await host().control.finalize()
  const stolen = await submit(thief.holder, txHash)
  expect(stolen).toMatchObject({ status: 409, body: { code: 'PAYMENT_BELONGS_ELSEWHERE' } })
  expect(JSON.stringify(stolen.body)).not.toContain('CL-')
  await devnet(real, 'settle')
  const later = await submit(thief.holder, txHash)
  expect(later).toMatchObject({ status: 409, body: { code: 'PAYMENT_BELONGS_ELSEWHERE' } })
  expect(await feeOf(victim.holder)).toMatchObject({ is_paid: true, tx_hash_usdt: txHash })
  expect(await feeOf(thief.holder)).toMatchObject({ is_paid: false })
})

test('[T062] a hash that is not mined yet is accepted, and the fee is paid once it is final', async () => {
  const { holder, exact } = await givenOpenFee()
  await host().control.pauseMining()
  const txHash = await pay(exact)
  expect(await submit(holder, txHash)).toMatchObject({ status: 202 })
  expect(await feeOf(holder)).toMatchObject({ is_paid: false, hint: { is_checking: true } })
  await host().control.resumeMining()
  await host().control.mine({ chain: 'bsc', blocks: 1 })
  await devnet(real, 'settle')
  expect(await feeOf(holder)).toMatchObject({ is_paid: true, tx_hash_usdt: txHash })
})

test('[T063] a payment undone by a reorganisation before it is final settles nothing', async () => {
  const { holder, exact } = await givenOpenFee()
  await host().control.pauseMining()
  const { bsc } = await host().control.info()
  const txHash = await pay(exact)
  await host().control.mine({ chain: 'bsc', blocks: 1 })
  const watcher = watcherLoops(real.context).find(({ name }) => name === 'watcher BSC')
  while ((await watcher?.step()) === false);
  const seen = { is_paid: false, tx_hash_usdt: null }
  expect(await feeOf(holder)).toMatchObject(seen)
  expect(await submit(holder, txHash)).toMatchObject({ status: 202 })
  expect(await feeOf(holder)).toMatchObject({ is_paid: false })
  await host().control.reorg({ chain: 'bsc', after: bsc.head.number })
  await host().control.resumeMining()
  await devnet(real, 'settle')
  expect(await feeOf(holder)).toMatchObject({ is_paid: false })
  expect(await submit(holder, txHash)).toMatchObject({ status: 202 })
  await pay(exact)
  await devnet(real, 'settle')
  expect(await feeOf(holder)).toMatchObject({ is_paid: true })
})

test('[T067] one contract transaction pays two fees; its third transfer matches none', async () => {
  const first = await givenOpenFee()
  const second = await givenOpenFee()
  const transfers = [first.exact, second.exact, 12_345n].map((amount) => ({ to: receiver, amount }))
  const code = manyTransfersCode(host(), payer.address, transfers)
  const other = await givenPayer(host())
  const address = getContractAddress({ from: other.address, nonce: 0n })
  const approval = encodeCall(tokenAbi, 'approve', [address, 10n ** 24n])
  await callBsc(host(), payer.privateKey, { to: usdt, data: approval })
  const { txHash } = await createOnBsc(host(), other, code)
  await devnet(real, 'settle')
  for (const { holder } of [first, second]) {
    expect(await feeOf(holder)).toMatchObject({ is_paid: true, tx_hash_usdt: txHash })
  }
})
