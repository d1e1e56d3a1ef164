import { tronAddressRange } from '@dct/rules/address-prefix'
import type { DbOrTx } from '../../platform/db.ts'
import { listPlans } from '../plans/index.ts'

/** What a search text asks for. */
export type ListSearch =
  | { kind: 'all' }
  | { kind: 'addresses'; from: Buffer; to: Buffer }
  | { kind: 'transaction'; txHash: Buffer }
  | { kind: 'plans' }

/** Which plans a list is about, and what else its search text asks for. */
export type ListScope = {
  search: ListSearch
  /** Left out: all plans. */
  plans?: readonly { id: bigint; code: string }[]
}

/** So many signs of an address are no part of a plan's code by chance. */
const SURE_ADDRESS_LENGTH = 5

/** Reads a search text as a transaction hash, the beginning of an address, or a part of a plan's code. */
export async function readScope(
  db: DbOrTx,
  query: { search?: string | undefined; earning_plan_code?: string | undefined },
): Promise<ListScope> {
  const text = query.search?.trim() ?? ''
  const wanted = query.earning_plan_code ?? ''
  if (text === '' && wanted === '') return { search: { kind: 'all' } }
  const plans = (await listPlans(db)).map(({ id, code }) => ({ id, code }))
  const own = wanted === '' ? plans : plans.filter(({ code }) => code === wanted)
  const scope = wanted === '' ? {} : { plans: own }
  if (text === '') return { search: { kind: 'all' }, ...scope }

  const txHash = /^(?:0x)?([0-9a-f]{64})$/i.exec(text)?.[1]
  if (txHash !== undefined) {
    return { search: { kind: 'transaction', txHash: Buffer.from(txHash, 'hex') }, ...scope }
  }
  const named = own.filter(({ code }) => code.includes(text.toUpperCase()))
  const range = tronAddressRange(text)
  if (range !== undefined && (text.length >= SURE_ADDRESS_LENGTH || named.length === 0)) {
    const [from, to] = [Buffer.from(range.from), Buffer.from(range.to)]
    return { search: { kind: 'addresses', from, to }, ...scope }
  }
  return { search: { kind: 'plans' }, plans: named }
}
