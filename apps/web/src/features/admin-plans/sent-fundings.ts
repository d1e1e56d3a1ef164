import type { CreatePlanBody } from '@dct/api-contract/plans'
import type { SentHash } from '../../shared/chain/send-call.ts'
import { deviceMemory } from '../../shared/storage/memory.ts'
import { SentTransactions } from '../../shared/tx/sent-transactions.ts'
import type { PlanBody } from './add-plan-flow.ts'

/** Fundings of plans that are not created yet, so that none is paid twice or lost. */
const KIND = 'fund-plan'
const sent = new SentTransactions(deviceMemory)

export type Funding = { body: CreatePlanBody }

export function rememberFunding(funding: {
  sent: SentHash
  owner: string
  body: PlanBody
  attempt: string
  deadline: number
}): void {
  const { owner, deadline, body, attempt } = funding
  sent.add({
    kind: KIND,
    ...funding.sent,
    owner,
    deadline,
    facts: { body: JSON.stringify(body), attempt },
  })
}

/** @returns the attempt that sent it, if it is known */
export function forgetFunding(hash: string): string | undefined {
  const attempt = sent.find(hash)?.facts.attempt
  sent.remove(hash)
  return attempt
}

/** An account's fundings whose plans are not created yet, oldest first. */
export function fundingsOf(owner: string): Funding[] {
  return sent.list({ kind: KIND, owner }).flatMap(({ hash, facts }) => {
    try {
      const body = JSON.parse(facts.body ?? '') as PlanBody
      return [{ body: { ...body, tx_hash: hash } }]
    } catch {
      return [] // unreadable entry
    }
  })
}
