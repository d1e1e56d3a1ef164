import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { MoneySettingChange } from '@dct/api-contract/money-settings'
import { useQuery } from '@tanstack/react-query'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { FeeSettingValue } from './fee-setting-value.tsx'
import { feeSettingQueries } from './fee-settings.api.ts'
import { feeSettingTexts } from './fee-settings.texts.ts'
import { WhoSet } from './who-set.tsx'

const DEFAULTS = { prefix: 'fees-', ...LIST_ORDERS.moneySettings } as const

/** All changes of fee settings and who made them. */
export function FeeSettingHistory() {
  const text = useTexts(feeSettingTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(feeSettingQueries.history(list.query))
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

function columnsOf(text: Translate<typeof feeSettingTexts.english>): Column<MoneySettingChange>[] {
  return [
    sortable(dateColumn('at', text('setAt'))),
    { id: 'name', header: text('which'), cell: ({ name }) => text(name) },
    {
      id: 'value',
      header: text('value'),
      align: 'end',
      cell: ({ name, value }) => <FeeSettingValue name={name} value={value} />,
    },
    {
      id: 'set_by',
      header: text('setBy'),
      cell: (row) => <WhoSet address={row.set_by} none={text('bySetup')} />,
    },
    {
      id: 'confirmed_by',
      header: text('confirmedBy'),
      cell: (row) => <WhoSet address={row.confirmed_by} none={text('oneAdmin')} />,
    },
  ]
}
