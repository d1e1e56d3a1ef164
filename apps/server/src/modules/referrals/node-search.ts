import { tronAddressRange } from '@dct/rules/address-prefix'
import { type RawBuilder, sql } from 'kysely'

/** What a search text asks for: the beginning of an address, of a referral code, or of either. */
export type NodeSearch =
  | { kind: 'everybody' }
  | { kind: 'nobody' }
  | { kind: 'some'; addresses?: { from: Buffer; to: Buffer }; codes?: { from: string; to: string } }

const CODE_LENGTH = 8
/** The last sign of a code in every alphabetical order. */
const LAST_SIGN = 'Z'

export function readNodeSearch(search: string | undefined): NodeSearch {
  const text = search?.trim() ?? ''
  // Every address begins with T.
  if (text === '' || text === 'T') return { kind: 'everybody' }
  const range = tronAddressRange(text)
  const code = text.toUpperCase()
  const isCode = /^[A-Z2-9]{1,8}$/.test(code)
  if (range === undefined && !isCode) return { kind: 'nobody' }
  return {
    kind: 'some',
    ...(range === undefined
      ? {}
      : { addresses: { from: Buffer.from(range.from), to: Buffer.from(range.to) } }),
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
      const { addresses, codes } = search
      const parts = [
        ...(addresses === undefined
          ? []
          : [sql<boolean>`${column('address')} between ${addresses.from} and ${addresses.to}`]),
        ...(codes === undefined
          ? []
          : [sql<boolean>`${column('referral_code')} between ${codes.from} and ${codes.to}`]),
      ]
      return sql`(${sql.join(parts, sql` or `)})`
    }
  }
}
