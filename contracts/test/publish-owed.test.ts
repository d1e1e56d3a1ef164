import { payoutVaultAbi } from '@dct/contract-abi'
import { parseEventLogs, toHex } from 'viem'
import { expect, test } from 'vitest'
import { type Chain, logsOf, refusalOf, useChain } from './support/chain.ts'
import { OPERATOR, OWNER, STRANGER } from './support/system.ts'
import { deployVault, type Vault } from './support/vault.ts'

let chain: Chain
let vault: Vault

useChain(async (started) => {
  chain = started
  vault = (await deployVault(chain)).vault
})

test('the operator publishes what is owed, and how often a day was published stays visible', async () => {
  const [first, second] = [`0x${'aa'.repeat(32)}`, `0x${'bb'.repeat(32)}`] as const
  const owedOn = (day: bigint) =>
    chain.client.readContract({ ...vault, functionName: 'owedOn', args: [day] })
  expect(await owedOn(20_260_130n)).toEqual({ root: toHex(0, { size: 32 }), sum: 0n, times: 0n })
  const receipt = await chain.send(OPERATOR, vault, 'publishOwed', [20_260_130n, first, 5n])
  const [event] = parseEventLogs({ abi: payoutVaultAbi, logs: logsOf(receipt, vault) })
  const args = { day: 20_260_130n, root: first, sum: 5n, times: 1n }
  expect(event).toMatchObject({ eventName: 'OwedPublished', args })
  await chain.send(OWNER, vault, 'pausePayouts', [])
  await chain.send(OPERATOR, vault, 'publishOwed', [20_260_130n, second, 6n])
  expect(await owedOn(20_260_130n)).toEqual({ root: second, sum: 6n, times: 2n })
  expect(await owedOn(20_260_131n)).toMatchObject({ times: 0n })
  for (const from of [OWNER, STRANGER]) {
    const byAnother = () => chain.send(from, vault, 'publishOwed', [20_260_130n, first, 5n])
    expect(await refusalOf(byAnother, payoutVaultAbi)).toEqual(['PayoutVault_OnlyOperator', from])
  }
})
