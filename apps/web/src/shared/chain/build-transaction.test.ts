import fc from 'fast-check'
import { utils } from 'tronweb'
import { encodeFunctionData, parseAbi } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { buildTransaction } from './build-transaction.ts'
import { addRewardForPlanCall, approveCall, joinStakeCall } from './contract-call.ts'
import type { TronNode } from './injected.ts'
import { addressToHex } from './tron-address.ts'

const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const CONTRACT = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
const ABI = parseAbi([
  'function approve(address,uint256)',
  'function joinStake(uint256,string,uint256)',
  'function addRewardForPlan(string,uint256)',
])

const raw_data = {
  ref_block_bytes: 'a1b2',
  ref_block_hash: '0011223344556677',
  expiration: 1_795_000_060_000,
  timestamp: 1_795_000_000_123,
}

function nodeThat(reply: object): TronNode {
  return { fullNode: { request: async () => reply } }
}

const input = {
  from: OWNER,
  call: approveCall(CONTRACT, OWNER, 25_000_000n),
  feeLimitSun: 50_000_000n,
  extraSigningMs: 0,
}

const bytes = fc.uint8Array({ minLength: 21, maxLength: 21 })
const uint = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n })
const planCode = fc.string({ minLength: 1, maxLength: 32 })

afterEach(() => vi.unstubAllGlobals())

test('on a site without https, nothing is built, and the reason is named', async () => {
  vi.stubGlobal('crypto', {})
  const built = buildTransaction(nodeThat({ transaction: { raw_data } }), input)
  await expect(built).rejects.toMatchObject({ problem: 'insecure' })
})

test('addresses are converted as by TronWeb', () => {
  fc.assert(
    fc.property(bytes, (raw) => {
      raw[0] = 0x41
      const hex = Buffer.from(raw).toString('hex')
      const address = utils.crypto.getBase58CheckAddress([...raw])
      expect(addressToHex(address)).toBe(hex)
    }),
  )
  for (const wrong of ['', '0x41', OWNER.slice(1), `${OWNER}1`, OWNER.replace('J', '0')]) {
    expect(() => addressToHex(wrong)).toThrow(RangeError)
  }
})

test('every call is encoded to the bytes and the hash that TronWeb computes, with the requested arguments', async () => {
  const calls = fc.tuple(uint, planCode, uint).map(([amount, code, days]) => [
    {
      call: approveCall(CONTRACT, OWNER, amount),
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'approve',
        args: [`0x${addressToHex(OWNER).slice(2)}`, amount],
      }),
    },
    {
      call: joinStakeCall(CONTRACT, { amount, planCode: code, durationDays: Number(days % 999n) }),
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'joinStake',
        args: [amount, code, days % 999n],
      }),
    },
    {
      call: addRewardForPlanCall(CONTRACT, { planCode: code, amount }),
      data: encodeFunctionData({
        abi: ABI,
        functionName: 'addRewardForPlan',
        args: [code, amount],
      }),
    },
  ])
  await fc.assert(
    fc.asyncProperty(calls, fc.integer({ min: 1, max: 2 ** 40 }), async (cases, fee) => {
      for (const { call, data } of cases) {
        const feeLimitSun = BigInt(fee)
        const built = await buildTransaction(nodeThat({ transaction: { raw_data } }), {
          ...input,
          call,
          feeLimitSun,
        })
        expect(utils.transaction.txCheck(built as never)).toBe(true)
        const value = {
          owner_address: addressToHex(OWNER),
          contract_address: addressToHex(CONTRACT),
        }
        expect(built.raw_data).toMatchObject({
          contract: [{ parameter: { value: { ...value, data: data.slice(2) } } }],
          fee_limit: fee,
          expiration: raw_data.expiration,
        })
      }
    }),
    { numRuns: 30 },
  )
})

test('a node that prepares another call, fee or sender does not change what is signed', async () => {
  const honest = await buildTransaction(nodeThat({ transaction: { raw_data } }), input)
  const stolen = { owner_address: '41', contract_address: '42', data: 'a9059cbb' }
  const lies = { contract: [{ parameter: { value: stolen } }], fee_limit: 1e12, data: '00' }
  const reply = {
    transaction: { txID: 'ff', raw_data: { ...raw_data, ...lies }, raw_data_hex: 'ff' },
  }
  expect(await buildTransaction(nodeThat(reply), input)).toEqual(honest)
})

test('a slow wallet gets additional time on top of the node’s', async () => {
  const slow = { ...input, extraSigningMs: 240_000 }
  const built = await buildTransaction(nodeThat({ transaction: { raw_data } }), slow)
  expect(built.raw_data.expiration).toBe(raw_data.expiration + 240_000)
  expect(utils.transaction.txCheck(built as never)).toBe(true)
})

test('the error of a node that refuses is quoted', async () => {
  const message = Buffer.from('No contract').toString('hex')
  await expect(
    buildTransaction(nodeThat({ result: { code: 'CONTRACT_VALIDATE_ERROR', message } }), input),
  ).rejects.toMatchObject({ name: 'NodeError', cause: { message: 'No contract' } })
})
