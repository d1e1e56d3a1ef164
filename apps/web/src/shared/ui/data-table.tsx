import { type ReactNode, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import type { ListControls } from '../lib/use-list-params.ts'
import { DateRange } from './date-range.tsx'
import { SortIcon, UnfoldIcon } from './icons.tsx'
import { type ListPage, Pager } from './pager.tsx'
import { QuietButton } from './quiet-button.tsx'
import { SearchBox } from './search-box.tsx'
import { StaleCallout } from './stale-callout.tsx'
import { uiTexts } from './ui.texts.ts'
import { useErrorToast } from './use-error-toast.ts'
import './data-table.css'

/** One column; its ID is the key that the service sorts by. */
export type Column<Row> = {
  id: string
  header: string
  cell: (row: Row) => ReactNode
  isSortable?: boolean
  align?: 'end'
  /** On a phone it is in view without its name, on the first lines of its row; the other columns unfold. */
  isMain?: boolean
}

/** The result of a list query; `useQuery` of a list fits. */
export type ListResult<Row> = {
  data: ListPage<Row> | undefined
  error: Error | null
  isPending: boolean
  isFetching: boolean
  isRefetchError: boolean
  dataUpdatedAt: number
  refetch: () => unknown
}

export type DataTableProps<Row> = {
  /** The table's accessible name. */
  caption: string
  columns: readonly Column<Row>[]
  rowKey: (row: Row) => string
  list: ListControls
  result: ListResult<Row>
  emptyText: string
  /** `emptyText` is about having nothing, so another sentence is shown when a search finds nothing. */
  isOwnEmptyText?: boolean
  /** The tools and the pager are left out while they would do nothing: without rows, and on a single page. */
  isQuiet?: boolean
  /** The toast for a failed load; without it, only the table shows the failure. */
  errorText?: string
  /** The label of the search box; without it there is no search box. */
  searchLabel?: string
  searchPlaceholder?: string
  /** The search runs on a "Search" button instead of while typing. */
  isSearchByButton?: boolean
  hasDateRange?: boolean
  /** Further filters, next to the search box. */
  filters?: ReactNode
  /** The download of the whole list; see `ExportButton`. */
  download?: ReactNode
}

const SKELETON_ROWS = 3

/** With fewer rows than this, nobody sorts or searches a quiet list. */
const TOOLS_FROM = 4

/**
 * The product's standard table: search, dates, sorting and paging. On a phone every row is two or three lines, and the
 * rest of it unfolds. The specification gives every list its search and its 'Page X of Y', so both stay when the list is
 * empty, unless it is a quiet one.
 */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { list, result, columns, caption, isQuiet = false } = props
  useErrorToast(result.error, props.errorText)
  const isPristine = !list.isNarrowed && list.state.page === 1
  const rows = result.data?.rows.length ?? 0
  const isOnePage = (result.data?.totalPages ?? 1) <= 1
  const hasTools = !isQuiet || !isPristine || !isOnePage || rows >= TOOLS_FROM
  return (
    <div className="data-table" aria-busy={result.isFetching}>
      {hasTools && (
        <div className="data-table__tools">
          {props.searchLabel && (
            <SearchBox
              label={props.searchLabel}
              placeholder={props.searchPlaceholder}
              value={list.state.search}
              onSearch={list.setSearch}
              isByButton={props.isSearchByButton}
            />
          )}
          {props.hasDateRange && <DateRange list={list} />}
          {props.filters}
          {(rows > 0 || !isPristine) && <SortSelect columns={columns} list={list} />}
          {props.download && <div className="data-table__download">{props.download}</div>}
        </div>
      )}
      <StaleCallout query={result} />
      <div className="data-table__scroll">
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map((column) => (
                <HeaderCell key={column.id} column={column} list={list} />
              ))}
            </tr>
          </thead>
          <tbody>
            <TableBody {...props} />
          </tbody>
        </table>
      </div>
      {(!isQuiet || !isPristine || !isOnePage) && (
        <Pager list={list} data={result.data} name={caption} />
      )}
    </div>
  )
}

function HeaderCell<Row>({ column, list }: { column: Column<Row>; list: ListControls }) {
  const order = list.state.sortBy === column.id ? list.state.sortOrder : undefined
  const ariaSort = order && (order === 'asc' ? 'ascending' : 'descending')
  return (
    <th scope="col" data-align={column.align} aria-sort={ariaSort}>
      {column.isSortable ? (
        <button type="button" className="data-table__sort" onClick={() => list.sortBy(column.id)}>
          {column.header}
          <SortIcon order={order} />
        </button>
      ) : (
        column.header
      )}
    </th>
  )
}

/** Sorting on a phone, where rows have no header, behind one button. */
function SortSelect<Row>({ columns, list }: Pick<DataTableProps<Row>, 'columns' | 'list'>) {
  const text = useTexts(uiTexts)
  const sortable = columns.filter(({ isSortable }) => isSortable)
  if (sortable.length === 0) return null
  const isAscending = list.state.sortOrder === 'asc'
  const chosen = sortable.find(({ id }) => id === list.state.sortBy)
  const present = chosen?.id ?? ''
  // A list that is not sorted by one of its columns is sorted by time.
  const byDate = isAscending ? 'oldestFirst' : 'newestFirst'
  return (
    <details className="data-table__phone-sort">
      <summary className="button button--quiet button--small">
        <SortIcon order={list.state.sortOrder} />
        {text('sort')}
      </summary>
      <label className="field">
        <span className="field__label">{text('sortBy')}</span>
        <span className="row">
          <select
            className="input"
            value={present}
            onChange={(event) => list.sortBy(event.target.value)}
          >
            {present === '' && <option value="">{text(byDate)}</option>}
            {sortable.map(({ id, header }) => (
              <option key={id} value={id}>
                {header}
              </option>
            ))}
          </select>
          <button
            type="button"
            className="icon-button"
            aria-label={
              chosen === undefined
                ? text(byDate)
                : text(isAscending ? 'sortedAscending' : 'sortedDescending', {
                    column: chosen.header,
                  })
            }
            onClick={() => list.sortBy(list.state.sortBy)}
          >
            <SortIcon order={list.state.sortOrder} />
          </button>
        </span>
      </label>
    </details>
  )
}

function TableBody<Row>(props: DataTableProps<Row>) {
  const text = useTexts(uiTexts)
  const { columns, list, result, emptyText, isOwnEmptyText = false } = props
  if (result.isPending) return <SkeletonRows columns={columns} />
  if (result.data === undefined) {
    return (
      <MessageRow span={columns.length}>
        <p>{text('listFailed')}</p>
        <QuietButton onClick={result.refetch}>{text('retry')}</QuietButton>
      </MessageRow>
    )
  }
  const { rows } = result.data
  if (rows.length > 0) {
    return rows.map((row) => <TableRow key={props.rowKey(row)} row={row} columns={columns} />)
  }
  return (
    <MessageRow span={columns.length}>
      <p>{list.isNarrowed && isOwnEmptyText ? text('noMatch') : emptyText}</p>
      {list.isNarrowed && <QuietButton onClick={list.reset}>{text('resetFilters')}</QuietButton>}
    </MessageRow>
  )
}

/** The columns in view on a phone, unless some are marked. */
const MAIN_COLUMNS = 3

function TableRow<Row>({ row, columns }: { row: Row; columns: readonly Column<Row>[] }) {
  const text = useTexts(uiTexts)
  const [isOpen, setIsOpen] = useState(false)
  const hasMarked = columns.some(({ isMain }) => isMain)
  const isMain = (column: Column<Row>, index: number) =>
    hasMarked ? column.isMain === true : index < MAIN_COLUMNS
  const lastMain = columns.findLastIndex(isMain)
  const hasMore = columns.some((column, index) => !isMain(column, index))
  return (
    <tr className="data-table__row" data-open={isOpen || !hasMore} data-has-more={hasMore}>
      {columns.map((column, index) => (
        <td
          key={column.id}
          data-label={column.header}
          data-align={column.align}
          data-main={isMain(column, index)}
        >
          <div className="data-table__cell">{column.cell(row)}</div>
          {hasMore && index === lastMain && (
            <button
              type="button"
              className="icon-button icon-button--small data-table__more"
              aria-label={text(isOpen ? 'less' : 'more')}
              aria-expanded={isOpen}
              onClick={() => setIsOpen(!isOpen)}
            >
              <UnfoldIcon />
            </button>
          )}
        </td>
      ))}
    </tr>
  )
}

function MessageRow({ span, children }: { span: number; children: ReactNode }) {
  return (
    <tr>
      <td colSpan={span}>
        <div className="empty stack">{children}</div>
      </td>
    </tr>
  )
}

function SkeletonRows<Row>({ columns }: { columns: readonly Column<Row>[] }) {
  return Array.from({ length: SKELETON_ROWS }, (_, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are identical and never change order
    <tr key={index} className="data-table__row">
      {columns.map((column) => (
        <td key={column.id} data-label={column.header}>
          <span className="skeleton skeleton--line" />
        </td>
      ))}
    </tr>
  ))
}
