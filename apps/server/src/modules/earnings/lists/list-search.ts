import { type BinarySearch, readAddressSearch, readHexSearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, sql } from 'kysely'
import { anyOf, fitsAddress, fitsHex } from '../../../platform/database/binary-search.ts'
import type { ReadDb } from '../../../platform/database/db.ts'
import { listPlans } from '../../plans/index.ts'

/** Criteria for stakes; matching any one of them is enough. */
export type StakeSearch = {
  address?: BinarySearch
  hash?: BinarySearch
  planCodes?: readonly string[]
}

/** What a search text covers: everything, whole plans, or single stakes. */
export type ListSearch = { kind: 'all' } | { kind: 'plans' } | ({ kind: 'stakes' } & StakeSearch)

/** The plans that a list covers, and the rest of its search. */
export type ListScope = {
  search: ListSearch
  /** Undefined: all plans. */
  plans?: readonly { id: bigint; code: string }[]
}

const HASH_BYTES = 32

/**
 * Reads a search text as part of a plan code, and as the beginning, the end or the shortened form of an address or
 * transaction hash. A stake that matches any of these is found.
 */
export async function readScope(
  db: ReadDb,
  query: { search?: string | undefined; earning_plan_code?: string | undefined },
): Promise<ListScope> {
  const text = query.search?.trim() ?? ''
  const wanted = query.earning_plan_code ?? ''
  if (text === '' && wanted === '') return { search: { kind: 'all' } }
  const plans = (await listPlans(db)).map(({ id, code }) => ({ id, code }))
  const own = wanted === '' ? plans : plans.filter(({ code }) => code === wanted)
  const scope = wanted === '' ? {} : { plans: own }
  if (text === '') return { search: { kind: 'all' }, ...scope }

  const named = own.filter(({ code }) => code.includes(text.toUpperCase()))
  const search = readStakeSearch(text)
  // A search for plans alone uses the counts by day, which is much faster than testing each stake.
  if (search === undefined || (named.length > 0 && !(await isAnyStake(db, search)))) {
    return { search: { kind: 'plans' }, plans: named }
  }
  return {
    search: { kind: 'stakes', ...search, planCodes: named.map(({ code }) => code) },
    ...scope,
  }
}

function readStakeSearch(text: string): StakeSearch | undefined {
  const address = readAddressSearch(text)
  const hash = readHexSearch(text, HASH_BYTES)
  if (address === undefined && hash === undefined) return undefined
  return { ...(address && { address }), ...(hash && { hash }) }
}

async function isAnyStake(db: ReadDb, search: StakeSearch): Promise<boolean> {
  const { rows } = await sql<{ isAny: boolean }>`
    select exists (select from stake_record s where ${fitsStake('s', search)}) as "isAny"`.execute(
    db,
  )
  return rows[0]?.isAny === true
}

/** The search as a condition on the columns `staker`, `tx_hash` and `plan_code` of `table`. */
export function fitsStake(
  table: string,
  { address, hash, planCodes = [] }: StakeSearch,
): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  return anyOf([
    ...(address === undefined ? [] : [fitsAddress(column('staker'), address)]),
    ...(hash === undefined ? [] : [fitsHex(column('tx_hash'), hash)]),
    ...planCodes.map((code) => sql`${column('plan_code')} = ${code}`),
  ])
}
