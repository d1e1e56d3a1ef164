import type { ExplorerTarget } from '../config/explorer-link.ts'
import { Amount, type Unit } from './amount.tsx'
import type { Column } from './data-table.tsx'
import { DateTime } from './date-time.tsx'
import { ExplorerValue } from './explorer-value.tsx'

// Columns that show one property of each row. The property's name is also the column's ID.

export function textColumn<Id extends string>(
  id: Id,
  header: string,
): Column<Record<Id, string | number>> {
  return { id, header, cell: (row) => row[id] }
}

export function dateColumn<Id extends string>(
  id: Id,
  header: string,
): Column<Record<Id, string | null>> {
  return { id, header, cell: (row) => <DateTime value={row[id]} /> }
}

export function amountColumn<Id extends string>(
  id: Id,
  header: string,
  unit?: Unit,
): Column<Record<Id, string | null>> {
  return { id, header, align: 'end', cell: (row) => <Amount value={row[id]} unit={unit} /> }
}

export function addressColumn<Id extends string>(
  id: Id,
  header: string,
  chain: ExplorerTarget['chain'],
): Column<Record<Id, string>> {
  return {
    id,
    header,
    cell: (row) => <ExplorerValue chain={chain} kind="address" value={row[id]} />,
  }
}

/** A column by which the service can sort its list. */
export function sortable<Row>(column: Column<Row>): Column<Row> {
  return { ...column, isSortable: true }
}
