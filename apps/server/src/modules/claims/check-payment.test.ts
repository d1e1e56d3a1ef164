import { encodeAbiParameters, type Hex, pad, toEventSelector } from 'viem'
import { expect, test } from 'vitest'
import { checkPayment, type SeenTransaction } from './check-payment.ts'

const USDT: Hex = `0x${'11'.repeat(20)}`
const CLONE: Hex = `0x${'22'.repeat(20)}`
const RECEIVER: Hex = `0x${'33'.repeat(20)}`
/** The same first and last digits as the receiver: a poisoned address. */
const LOOKALIKE: Hex = `0x333333${'44'.repeat(14)}333333`
const PAYER: Hex = `0x${'55'.repeat(20)}`
const EXACT = 7_513_211n * 10n ** 12n
const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const APPROVAL = toEventSelector('Approval(address,address,uint256)')

const awaited = {
  usdt: USDT,
  receiver: RECEIVER,
  exact: EXACT,
  notBeforeBlock: 100n,
  requestedAt: new Date('2026-01-05T10:00:00Z'),
}

function log(facts: { token?: Hex; to?: Hex; value?: bigint; event?: Hex }) {
  const { token = USDT, to = RECEIVER, value = EXACT, event = TRANSFER } = facts
  return {
    address: token,
    topics: [event, pad(PAYER), pad(to)],
    data: encodeAbiParameters([{ type: 'uint256' }], [value]),
  }
}

function final(...logs: ReturnType<typeof log>[]): SeenTransaction {
  return { kind: 'final', blockNumber: 101n, blockTime: awaited.requestedAt, logs }
}

test('a transfer of the exact amount to the receiver is the payment', () => {
  expect(checkPayment(final(log({})), awaited)).toEqual({ kind: 'right' })
})

test('[T067] the matching transfer counts among others, from any sender', () => {
  const others = [log({ to: LOOKALIKE }), log({ token: CLONE }), log({ value: EXACT + 1n })]
  expect(checkPayment(final(...others, log({})), awaited)).toEqual({ kind: 'right' })
})

test('[T062] an unknown or non-final transaction stays pending and is never refused', () => {
  expect(checkPayment({ kind: 'unknown' }, awaited)).toEqual({ kind: 'waits', isKnown: false })
  expect(checkPayment({ kind: 'pending' }, awaited)).toEqual({ kind: 'waits', isKnown: true })
})

test.each([
  ['[T054] another token of the same name', final(log({ token: CLONE })), 'PAYMENT_OTHER_TOKEN'],
  ['[T055] a failed transaction', { kind: 'failed' } as const, 'PAYMENT_FAILED'],
  ['[T055] no transfer at all', final(), 'PAYMENT_WITHOUT_TRANSFER'],
  ['[T055] an approval', final(log({ event: APPROVAL })), 'PAYMENT_WITHOUT_TRANSFER'],
  ['[T056] a look-alike address', final(log({ to: LOOKALIKE })), 'PAYMENT_OTHER_RECIPIENT'],
  ['[FEE-19] [T057] one unit too little', final(log({ value: EXACT - 1n })), 'PAYMENT_TOO_LITTLE'],
  ['[FEE-19] [T057] one unit too much', final(log({ value: EXACT + 1n })), 'PAYMENT_TOO_MUCH'],
  ['[T057] twice the amount', final(log({ value: EXACT * 2n })), 'PAYMENT_TOO_MUCH'],
  ['[T057] a transfer of nothing', final(log({ value: 0n })), 'PAYMENT_WITHOUT_TRANSFER'],
])('%s is refused with its reason', (_what, seen, code) => {
  expect(checkPayment(seen, awaited)).toMatchObject({ kind: 'wrong', code })
})

test('[FEE-19] the reason states both amounts and the difference', () => {
  const value = EXACT - 10n ** 12n
  expect(checkPayment(final(log({ value })), awaited)).toMatchObject({
    message: 'Received 7.513210 USDT, expected exactly 7.513211 USDT: too little by 0.000001 USDT.',
  })
})

test('[FEE-19] of several wrong amounts, the reason names the nearest, above or below', () => {
  const micros = (count: number) => log({ value: EXACT + BigInt(count) * 10n ** 12n })
  const reason = (...offs: number[]) => checkPayment(final(...offs.map(micros)), awaited)
  const [little, much] = ['too little by 0.000002', 'too much by 0.000002']
  for (const offs of [
    [5, -2, 9],
    [-9, -2, 5],
    [-2, 5, -9],
  ]) {
    expect(reason(...offs)).toMatchObject({ message: expect.stringContaining(little) })
  }
  for (const offs of [
    [-5, 2, 9],
    [9, -5, 2],
    [2, 9, -5],
  ]) {
    expect(reason(...offs)).toMatchObject({ message: expect.stringContaining(much) })
  }
})

test('[T064] a payment from before the claim is too old', () => {
  const seen = { kind: 'final', blockTime: awaited.requestedAt, logs: [log({})] } as const
  const old: SeenTransaction = { ...seen, blockNumber: 100n }
  expect(checkPayment(old, awaited)).toMatchObject({ code: 'PAYMENT_TOO_OLD' })
})

test('a payment ten minutes older than its claim is too old, whatever block the books knew then', () => {
  const before = (ms: number): SeenTransaction => ({
    ...{ kind: 'final', blockNumber: 101n, logs: [log({})] },
    blockTime: new Date(awaited.requestedAt.getTime() - ms),
  })
  expect(checkPayment(before(10 * 60_000), awaited)).toEqual({ kind: 'right' })
  expect(checkPayment(before(10 * 60_000 + 1), awaited)).toMatchObject({ code: 'PAYMENT_TOO_OLD' })
})

test('[T054] a log that only looks like a transfer is ignored', () => {
  const odd = { ...log({}), data: '0x01' as Hex }
  expect(checkPayment(final(odd), awaited)).toMatchObject({ code: 'PAYMENT_WITHOUT_TRANSFER' })
})
