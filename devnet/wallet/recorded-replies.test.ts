import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { callContract } from '../../apps/web/src/shared/chain/call-contract.ts'
import {
  readAccount,
  readFreeResources,
  readPrices,
} from '../../apps/web/src/shared/chain/read-account.ts'
import { sendCall } from '../../apps/web/src/shared/chain/send-call.ts'
import { readTransactionInfo } from '../../apps/web/src/shared/chain/transaction-info.ts'

/** What the web app reads from a real node's replies, with values other than zero in every field that it uses. */
const FOLDER = join(import.meta.dirname, '../src/chains/testing/recorded')
const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const CALL = { contract: OWNER, selector: 'f()', selectorHex: '00000000', args: [] } as const

function recorded(name: string): Record<string, unknown>[] {
  const replies = JSON.parse(readFileSync(join(FOLDER, `${name}.json`), 'utf8'))
  return replies.map(({ reply }: { reply: unknown }) => reply)
}
const nodeWith = (reply: object) => ({ fullNode: { request: async () => reply } })
const first = (name: string, at = 0) => recorded(name)[at] ?? {}

test.each([
  ['one that uses tokens', first('wallet-getaccount'), { isActive: true, balanceSun: 38_800n }],
  ['one without TRX', first('wallet-getaccount', 8), { isActive: true, balanceSun: 0n }],
  ['one that the chain does not know', {}, { isActive: false, balanceSun: 0n }],
])('an account: %s', async (_case, reply, expected) => {
  expect(await readAccount(nodeWith(reply), OWNER)).toEqual(expected)
})

const resources = first('wallet-getaccountresource')
const none = { energy: 0, freeBandwidth: 0, stakedBandwidth: 0 }
test.each([
  ['free bandwidth, partly used', resources, { ...none, freeBandwidth: 583 }],
  [
    'stake, partly used',
    { ...resources, EnergyLimit: 5000, EnergyUsed: 1200, NetLimit: 900, NetUsed: 1 },
    { energy: 3800, freeBandwidth: 583, stakedBandwidth: 899 },
  ],
  // What was used before stake was withdrawn can exceed what is left of it.
  [
    'stake, used beyond what is left',
    { ...resources, EnergyLimit: 5000, EnergyUsed: 6000, NetLimit: 1, NetUsed: 900 },
    { ...none, freeBandwidth: 583 },
  ],
  ['none, for an unknown account', {}, none],
])('resources: %s', async (_case, reply, expected) => {
  expect(await readFreeResources(nodeWith(reply), OWNER)).toEqual(expected)
})

const parameters = first('wallet-getchainparameters') as { chainParameter: { key: string }[] }
const USUAL = { energy: 100, bandwidth: 1_000, activation: 1_100_000 }
test.each([
  ['the main network’s', parameters, USUAL],
  [
    'a price of zero, which nodes leave out',
    {
      chainParameter: parameters.chainParameter.map((one) =>
        one.key === 'getEnergyFee' ? { key: one.key } : one,
      ),
    },
    { ...USUAL, energy: 0 },
  ],
  ['of a node that names none', {}, USUAL],
])('prices: %s', async (_case, reply, expected) => {
  expect(await readPrices(nodeWith(reply))).toEqual(expected)
})

const tried = first('wallet-triggerconstantcontract', 4)
const reverted = first('wallet-triggerconstantcontract', 3)
test.each([
  ['works', tried, { ok: true, energy: 12_933 }],
  ['names its success', { ...tried, result: { result: true, code: 'SUCCESS' } }, { ok: true }],
  ['has a penalty', { ...tried, energy_penalty: 4_000 }, { ok: true, energy: 12_933 }],
  ['is refused', reverted, { ok: false, energy: 208 }],
])('a trial run that %s', async (_case, reply, expected) => {
  expect(await callContract(nodeWith(reply), OWNER, CALL)).toMatchObject(expected)
})

test.each([5, 7])('a trial run that a node does not make (%d) fails', async (at) => {
  const node = nodeWith(first('wallet-triggerconstantcontract', at))
  await expect(callContract(node, OWNER, CALL)).rejects.toThrow()
})

test.each([
  ['unknown', 0, { status: 'unknown' }],
  ['included', 1, { status: 'success', block: 401 }],
  ['included, for free bandwidth', 2, { status: 'success', block: 340 }],
  ['reverted', 3, { status: 'failed', block: 273 }],
])('a transaction: %s', async (_case, at, expected) => {
  const node = nodeWith(first('wallet-gettransactioninfobyid', at))
  expect(await readTransactionInfo(node, 'ab')).toMatchObject(expected)
})

const broadcasts = recorded('wallet-broadcasttransaction')
const SURE = new Set(['SIGERROR', 'CONTRACT_VALIDATE_ERROR', 'BANDWITH_ERROR', 'TAPOS_ERROR'])
/** A node's answers to a broadcast, and whether the transaction may be on its way. */
const ANSWERS = [
  ...broadcasts.map((reply) => ({
    reply,
    isOnItsWay: !SURE.has(`${reply.code}`) && reply.code !== 'TRANSACTION_EXPIRATION_ERROR',
  })),
  { reply: first('wallet-broadcasthex'), isOnItsWay: true },
  ...['NOT_ENOUGH_EFFECTIVE_CONNECTION', 'OTHER_ERROR'].map((code) => ({
    reply: { code, message: '' },
    isOnItsWay: true,
  })),
  ...['SERVER_BUSY', 'NO_CONNECTION', 'BLOCK_UNSOLIDIFIED'].map((code) => ({
    reply: { code, message: '' },
    isOnItsWay: false,
  })),
]

test.each(ANSWERS)('a broadcast answered with $reply.code', async ({ reply, isOnItsWay }) => {
  const request = async (path: string) =>
    path === 'wallet/broadcasttransaction' ? reply : first('wallet-triggersmartcontract')
  const wallet = {
    node: () => ({ fullNode: { request } }),
    extraSigningMs: () => 0,
    signTransaction: async <T extends object>(unsigned: T) => ({ ...unsigned, signature: ['00'] }),
  }
  const { signal } = new AbortController()
  const order = { from: OWNER, call: CALL, feeLimitSun: 1n, signal }
  const sent = sendCall(wallet, order, () => undefined)
  if (isOnItsWay) await expect(sent).resolves.toMatchObject({ expiresAt: expect.any(Number) })
  else await expect(sent).rejects.toThrow()
})
