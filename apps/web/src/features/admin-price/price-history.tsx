import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { Price } from '@dct/api-contract/pricing'
import { useQuery } from '@tanstack/react-query'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { priceQueries } from './admin-price.api.ts'
import { priceTexts } from './admin-price.texts.ts'
import { WhoSet } from './who-set.tsx'

const DEFAULTS = { prefix: 'price-', ...LIST_ORDERS.prices } as const

/** All past prices and who set them. */
export function PriceHistory() {
  const text = useTexts(priceTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(priceQueries.history(list.query))
  return (
    <Panel title={text('history')}>
      <DataTable
        caption={text('history')}
        columns={columnsOf(text)}
        rowKey={({ id }) => id}
        list={list}
        result={result}
        emptyText={text('noHistory')}
        errorText={text('historyFailed')}
      />
    </Panel>
  )
}

function columnsOf(text: Translate<typeof priceTexts.english>): Column<Price>[] {
  return [
    sortable(dateColumn('at', text('setAt'))),
    {
      id: 'price',
      header: text('price'),
      isSortable: true,
      align: 'end',
      cell: (row) => <Amount value={row.price} unit="USDT" decimals="all" />,
    },
    {
      id: 'set_by',
      header: text('setBy'),
      cell: (row) => (
        <WhoSet address={row.set_by} none={text(row.source === 'pair' ? 'byPair' : 'bySetting')} />
      ),
    },
    {
      id: 'confirmed_by',
      header: text('confirmedBy'),
      cell: (row) => <WhoSet address={row.confirmed_by} none={text('oneAdmin')} />,
    },
  ]
}
