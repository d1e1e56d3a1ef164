import { type BinarySearch, readAddressSearch } from '@dct/rules/binary-search-text'
import { type RawBuilder, sql } from 'kysely'
import { fitsAddress } from '../../../platform/database/binary-search.ts'

/** What a search text matches: an address (its beginning, end or both), the beginning of a referral code, or either. */
export type NodeSearch =
  | { kind: 'everybody' }
  | { kind: 'nobody' }
  | { kind: 'some'; address?: BinarySearch; codes?: { from: string; to: string } }

const CODE_LENGTH = 8
/** The last character of the code alphabet. */
const LAST_SIGN = 'Z'

export function readNodeSearch(search: string | undefined): NodeSearch {
  const text = search?.trim() ?? ''
  // Every address begins with T.
  if (text === '' || text === 'T') return { kind: 'everybody' }
  const address = readAddressSearch(text)
  const code = text.toUpperCase()
  const isCode = /^[A-Z2-9]{1,8}$/.test(code)
  if (address === undefined && !isCode) return { kind: 'nobody' }
  return {
    kind: 'some',
    ...(address && { address }),
    ...(isCode ? { codes: { from: code, to: code.padEnd(CODE_LENGTH, LAST_SIGN) } } : {}),
  }
}

/** The search as a condition on the columns `address` and `referral_code` of `table`. */
export function searchCondition(search: NodeSearch, table: string): RawBuilder<boolean> {
  const column = (name: string) => sql.ref(`${table}.${name}`)
  switch (search.kind) {
    case 'everybody':
      return sql`true`
    case 'nobody':
      return sql`false`
    case 'some': {
      const { address, codes } = search
      const parts = [
        ...(address === undefined ? [] : [fitsAddress(column('address'), address)]),
        ...(codes === undefined
          ? []
          : [sql<boolean>`${column('referral_code')} between ${codes.from} and ${codes.to}`]),
      ]
      return sql`(${sql.join(parts, sql` or `)})`
    }
  }
}
