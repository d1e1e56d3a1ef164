import { expect, test } from 'vitest'
import { callContract } from './call-contract.ts'

const OWNER = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const CALL = { contract: OWNER, selector: 'approve(address,uint256)', args: [] } as const

/** A node with one answer to every request. */
const nodeWith = (reply: object) => ({ fullNode: { request: async () => reply } })

test.each([
  ['of which a part is a penalty', { energy_used: 31_895, energy_penalty: 17_245 }, 31_895],
  ['without a penalty', { energy_used: 498 }, 498],
])('a trial run takes the energy that the node names, %s', async (_case, used, energy) => {
  const reply = { result: { result: true }, constant_result: ['00'.repeat(32)], ...used }
  expect(await callContract(nodeWith(reply), OWNER, CALL)).toMatchObject({ ok: true, energy })
})
