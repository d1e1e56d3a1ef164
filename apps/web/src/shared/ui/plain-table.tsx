import type { ReactNode } from 'react'
import './data-table.css'

type PlainTableProps = {
  /** The table's accessible name. */
  caption: string
  columns: readonly { header: string; align?: 'end' | undefined }[]
  rows: readonly { key: string; cells: readonly ReactNode[] }[]
}

/** A short table shown in full, without search or paging; cards on a phone. */
export function PlainTable({ caption, columns, rows }: PlainTableProps) {
  return (
    <div className="data-table">
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
            {rows.map(({ key, cells }) => (
              <tr key={key} className="data-table__row" data-open="true">
                {columns.map(({ header, align }, index) => (
                  <td key={header} data-label={header} data-align={align}>
                    {cells[index]}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
