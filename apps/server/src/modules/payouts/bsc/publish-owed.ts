import { encodeCall } from '@dct/chain-clients/senders/index'
import { payoutVaultAbi } from '@dct/contract-abi'
import { publishedDay } from '@dct/rules/sum-tree'
import { decodeFunctionResult } from 'viem'
import type { PublishedOwed } from '../operator-calls.ts'
import type { Readiness } from '../send-owed.ts'
import { trialRun, type VaultCall, type VaultDeps } from './vault-call.ts'

/**
 * Whether the vault would take this publication now, and the call that makes it. Done once the vault, in the newest final
 * block, states exactly this of the day; where it states something else, as after a restore, this corrects it.
 */
export async function publicationReadiness(
  deps: VaultDeps,
  owed: PublishedOwed,
): Promise<Readiness<VaultCall>> {
  const { day, root, sum } = owed
  const data = encodeCall(payoutVaultAbi, 'publishOwed', [publishedDay(day), root, sum])
  const trial = await trialRun(deps, { to: deps.vault, data })
  return trial.kind === 'ready' && (await isPublished(deps, owed)) ? { kind: 'done' } : trial
}

async function isPublished({ node, vault }: VaultDeps, { day, root, sum }: PublishedOwed) {
  const call = { to: vault, data: encodeCall(payoutVaultAbi, 'owedOn', [publishedDay(day)]) }
  const [data = '0x'] = (await node.finalCall([call])).results
  const stated = decodeFunctionResult({ abi: payoutVaultAbi, functionName: 'owedOn', data })
  // An empty list has a root of zeros, as a day has that was never published.
  return stated.times > 0n && stated.root === root && stated.sum === sum
}
