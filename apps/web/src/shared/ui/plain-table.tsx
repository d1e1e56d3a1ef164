import type { ReactNode } from 'react'
import './data-table.css'

type PlainTableProps = {
  /** Whether the first cell of a row names it, as in a matrix. */
  hasRowNames?: boolean
  /** A few short columns, which fit on a phone as they are. */
  isNarrow?: boolean
  /** The table's accessible name. */
  caption: string
  columns: readonly { header: string; align?: 'end' | undefined }[]
  /** `isSum`: the row adds up those above it. */
  rows: readonly { key: string; isSum?: boolean; cells: readonly ReactNode[] }[]
}

/** A short table shown in full, without search or paging; cards on a phone, unless it is narrow. */
export function PlainTable(props: PlainTableProps) {
  const { hasRowNames = false, isNarrow = false, caption, columns, rows } = props
  return (
    <div className={isNarrow ? 'data-table data-table--narrow' : 'data-table'}>
      <div className="data-table__scroll">
        <table>
          <caption className="visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ header, align }) => (
                <th key={header} scope="col" data-align={align}>
                  {header}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, isSum, cells }) => (
              <tr key={key} className="data-table__row" data-open="true" data-sum={isSum}>
                {columns.map(({ header, align }, index) =>
                  hasRowNames && index === 0 ? (
                    <th key={header} scope="row">
                      {cells[index]}
                    </th>
                  ) : (
                    <td key={header} data-label={header} data-align={align}>
                      {cells[index]}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
