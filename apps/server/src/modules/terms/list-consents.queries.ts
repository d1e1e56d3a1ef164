import type { AdminConsent, AdminConsentsQuery, AdminConsentsReply } from '@dct/api-contract/terms'
import { formatTronAddress } from '@dct/rules/addresses'
import { readAddressSearch } from '@dct/rules/binary-search-text'
import { sql } from 'kysely'
import { fitsAddress } from '../../platform/database/binary-search.ts'
import type { DbOrTx, ReadDb } from '../../platform/database/db.ts'
import { cappedFrame, cappedTotal, MAX_COUNTED, offsetOf } from '../../platform/http/lists.ts'
import { own } from './terms.tables.ts'

/** The number of users who have accepted each version, by its name; without versions that nobody has accepted. */
export async function countConsents(db: DbOrTx): Promise<ReadonlyMap<string, number>> {
  const rows = await own(db)
    .selectFrom('terms_consent')
    .select((eb) => ['version', eb.fn.count<bigint>('user_id').distinct().as('users')])
    .groupBy('version')
    .execute()
  return new Map(rows.map(({ version, users }) => [version, Number(users)]))
}

/** One page of the list of consents. */
export async function listConsents(
  db: ReadDb,
  query: AdminConsentsQuery,
): Promise<AdminConsentsReply> {
  const some = filtered(db, query)
    .select('c.id')
    .limit(MAX_COUNTED + 1)
  const [rows, { found }] = await Promise.all([
    orderedConsents(db, query).limit(query.limit).offset(offsetOf(query)).execute(),
    own(db)
      .selectFrom(some.as('some'))
      .select((eb) => eb.fn.countAll<bigint>().as('found'))
      .executeTakeFirstOrThrow(),
  ])
  return { consents: rows.map(describeConsent), ...cappedFrame(query, cappedTotal(found)) }
}

type ConsentFilter = Pick<AdminConsentsQuery, 'search' | 'version'>

/** All consents that match a filter, in the list's order. */
export function orderedConsents(
  db: ReadDb,
  query: ConsentFilter & Pick<AdminConsentsQuery, 'sort_order'>,
) {
  return filtered(db, query)
    .innerJoin('app_user_view as u', 'u.id', 'c.user_id')
    .select(['c.id', 'c.version', 'c.language', 'c.accepted_at', 'u.address'])
    .orderBy('c.accepted_at', query.sort_order)
    .orderBy('c.id', query.sort_order)
}

type ConsentRow = Awaited<ReturnType<ReturnType<typeof orderedConsents>['execute']>>[number]

export function describeConsent({
  id,
  address,
  version,
  language,
  accepted_at,
}: ConsentRow): AdminConsent {
  return {
    ...{ id: `${id}`, tron_address: formatTronAddress(address), version, language },
    accepted_at: accepted_at.toISOString(),
  }
}

function filtered(db: ReadDb, { search, version }: ConsentFilter) {
  let consents = own(db).selectFrom('terms_consent as c')
  if (version !== undefined && version !== '') consents = consents.where('c.version', '=', version)
  const text = search?.trim() ?? ''
  if (text === '') return consents
  const address = readAddressSearch(text)
  return consents.where(
    address === undefined
      ? sql<boolean>`false`
      : sql<boolean>`c.user_id in (
          select v.id from app_user_view v where ${fitsAddress(sql.ref('v.address'), address)})`,
  )
}
