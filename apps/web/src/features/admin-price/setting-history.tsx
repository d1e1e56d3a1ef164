import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { MoneySettingChange } from '@dct/api-contract/money-settings'
import { SETTING_NAMES } from '@dct/api-contract/proposals'
import { useQuery } from '@tanstack/react-query'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { settingTexts } from '../../shared/ui/setting.texts.ts'
import { SettingValue } from '../../shared/ui/setting-value.tsx'
import { priceQueries } from './admin-price.api.ts'
import { priceTexts } from './admin-price.texts.ts'
import { WhoSet } from './who-set.tsx'

const DEFAULTS = {
  prefix: 'setting-',
  ...LIST_ORDERS.moneySettings,
  filters: { name: '' },
  choices: { name: SETTING_NAMES },
} as const

/** All past prices and fee settings, and who set them. */
export function SettingHistory() {
  const text = useTexts(priceTexts)
  const named = useTexts(settingTexts)
  const list = useListParams(DEFAULTS)
  const { name = '' } = list.state.filters
  const result = useQuery(priceQueries.history({ ...list.query, ...(name !== '' && { name }) }))
  return (
    <Panel title={text('history')}>
      <DataTable
        caption={text('history')}
        columns={columnsOf(text, named)}
        rowKey={({ id }) => id}
        list={list}
        result={result}
        emptyText={text('noHistory')}
        isOwnEmptyText
        isQuiet
        errorText={text('historyFailed')}
        filters={
          <SelectField
            label={text('which')}
            value={name}
            onChoose={(chosen) => list.setFilter('name', chosen)}
          >
            <option value="">{text('all')}</option>
            {SETTING_NAMES.map((one) => (
              <option key={one} value={one}>
                {named(one)}
              </option>
            ))}
          </SelectField>
        }
      />
    </Panel>
  )
}

function columnsOf(
  text: Translate<typeof priceTexts.english>,
  named: Translate<typeof settingTexts.english>,
): Column<MoneySettingChange>[] {
  return [
    sortable(dateColumn('at', text('setAt'))),
    { id: 'name', header: text('which'), cell: ({ name }) => named(name) },
    {
      id: 'value',
      header: text('newValue'),
      align: 'end',
      cell: ({ name, value }) => <SettingValue kind={name} value={value} />,
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
