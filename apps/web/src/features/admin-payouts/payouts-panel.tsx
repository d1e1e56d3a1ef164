import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { AdminPayout } from '@dct/api-contract/payouts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { CHAIN_NAMES } from '../../shared/config/chain-names.ts'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { type ListControls, useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { payoutQueries } from './admin-payouts.api.ts'
import { payoutTexts } from './admin-payouts.texts.ts'
import { OperatorCalls } from './operator-calls.tsx'
import { PayoutCause } from './payout-cause.tsx'
import { HoldPayout, RetryPayout } from './payout-dialogs.tsx'
import { SendersSection } from './senders-section.tsx'
import '../../shared/ui/wide-table.css'

const STATES = ['waiting', 'sent', 'final', 'returned'] as const
const CHAINS = ['TRON', 'BSC'] as const
/** The wait reason of a payout that an admin holds. */
const HELD = 'HELD'
const TONES = { waiting: 'warn', sent: 'warn', final: 'good', returned: undefined }
const DEFAULTS = {
  prefix: 'out-',
  ...LIST_ORDERS.payouts,
  filters: { state: '', chain: '' },
  choices: { state: STATES, chain: CHAINS },
} as const

/** Every payout with its state and the reason for it, and the wallets that pay them. */
export function PayoutsPanel() {
  const text = useTexts(payoutTexts)
  const list = useListParams(DEFAULTS)
  const state = STATES.find((one) => one === list.state.filters.state)
  const chain = CHAINS.find((one) => one === list.state.filters.chain)
  const query = { ...list.query, ...(state && { state }), ...(chain && { chain }) }
  const result = useQuery(payoutQueries.list(query))
  const [chosen, setChosen] = useState<Choice>()
  const close = () => setChosen(undefined)
  return (
    <div className="stack">
      <SendersSection />
      <OperatorCalls />
      <Panel title={text('title')} className="wide-table wide-table--folds">
        <DataTable
          caption={text('title')}
          columns={columnsOf(text, setChosen)}
          rowKey={({ id }) => id}
          list={list}
          result={result}
          emptyText={text('empty')}
          errorText={text('listFailed')}
          searchLabel={text('search')}
          hasDateRange
          download={<ExportButton path="/admin/payouts" query={query} />}
          filters={
            <>
              <Filter list={list} name="state" label={text('state')} values={STATES} />
              <Filter list={list} name="chain" label={text('chain')} values={CHAINS} />
            </>
          }
        />
      </Panel>
      {chosen?.act === 'retry' && <RetryPayout payout={chosen.payout} onClose={close} />}
      {chosen?.act === 'hold' && <HoldPayout payout={chosen.payout} onClose={close} />}
    </div>
  )
}

type FilterProps = {
  list: ListControls
  name: 'state' | 'chain'
  label: string
  values: readonly (AdminPayout['state'] | AdminPayout['chain'])[]
}

function Filter({ list, name, label, values }: FilterProps) {
  const text = useTexts(payoutTexts)
  return (
    <SelectField
      label={label}
      value={list.state.filters[name] ?? ''}
      onChoose={(chosen) => list.setFilter(name, chosen)}
    >
      <option value="">{text('all')}</option>
      {values.map((value) => (
        <option key={value} value={value}>
          {value === 'TRON' || value === 'BSC' ? CHAIN_NAMES[value] : text(value)}
        </option>
      ))}
    </SelectField>
  )
}

type Text = Translate<typeof payoutTexts.english>
const chainOf = (payout: AdminPayout) => (payout.chain === 'TRON' ? 'tron' : 'bsc')

/** The chosen action and its payout. */
type Choice = { act: 'retry' | 'hold'; payout: AdminPayout }

function columnsOf(text: Text, choose: (choice: Choice) => void): Column<AdminPayout>[] {
  return [
    sortable(dateColumn('created_at', text('createdAt'))),
    {
      id: 'cause',
      header: text('cause'),
      cell: (row) => <PayoutCause payout={row} />,
    },
    {
      id: 'to_address',
      header: text('receiver'),
      cell: (row) => <ExplorerValue chain={chainOf(row)} kind="address" value={row.to_address} />,
    },
    {
      id: 'amount',
      header: text('amount'),
      isSortable: true,
      align: 'end',
      cell: (row) => <Amount value={row.amount} unit={row.asset} />,
    },
    {
      id: 'state',
      header: text('state'),
      cell: (row) => (
        <span className="badge" data-tone={TONES[row.state]} title={text(`${row.state}Hint`)}>
          {text(row.state)}
        </span>
      ),
    },
    { id: 'reason', header: text('reason'), cell: (row) => <Reason payout={row} /> },
    {
      id: 'tx_hash',
      header: text('txHash'),
      cell: (row) =>
        row.tx_hash === null ? (
          <span className="soft">{text('notPaid')}</span>
        ) : (
          <ExplorerValue chain={chainOf(row)} kind="transaction" value={row.tx_hash} />
        ),
    },
    {
      id: 'action',
      header: text('action'),
      cell: (row) =>
        row.state === 'final' || row.state === 'returned' ? (
          <span aria-hidden="true">{UNKNOWN}</span>
        ) : (
          <div className="row">
            {row.wait_reason !== null && (
              <QuietButton onClick={() => choose({ act: 'retry', payout: row })}>
                {text('retry')}
              </QuietButton>
            )}
            {row.state === 'waiting' && row.wait_reason !== HELD && (
              <QuietButton onClick={() => choose({ act: 'hold', payout: row })}>
                {text('hold')}
              </QuietButton>
            )}
          </div>
        ),
    },
  ]
}

/** Why a payout is not paid yet, and what was attempted. */
function Reason({ payout }: { payout: AdminPayout }) {
  const text = useTexts(payoutTexts)
  const since = formatDate(payout.waiting_since ?? '')
  const why = payout.wait_text
  const tried = [
    ...(payout.attempts > 0 && payout.state !== 'final'
      ? [text('attempts', { count: payout.attempts })]
      : []),
    ...(payout.failures > 0 ? [text('failures', { count: payout.failures })] : []),
  ]
  return (
    <div className="stack stack--tight">
      {why !== null && <p>{why}</p>}
      {payout.state === 'waiting' && payout.wait_text !== null && since !== undefined && (
        <p className="soft small">{text('since', { time: since })}</p>
      )}
      {tried.length > 0 && <p className="soft small">{tried.join(', ')}</p>}
    </div>
  )
}
