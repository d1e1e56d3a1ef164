import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { addressColumn, dateColumn, sortable } from '../../shared/ui/columns.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { paymentQueries } from './admin-payments.api.ts'
import { paymentTexts } from './admin-payments.texts.ts'
import { AttachPayment } from './attach-payment.tsx'
import { MarkRefunded } from './mark-refunded.tsx'
import { NearestFee } from './nearest-fee.tsx'
import '../../shared/ui/wide-table.css'

type State = UnmatchedPayment['state']
const STATES: readonly State[] = ['unmatched', 'settled', 'refunded', 'internal', 'dust']
const DEFAULTS = {
  prefix: 'pay-',
  ...LIST_ORDERS.unmatchedPayments,
  filters: { state: 'unmatched' },
  choices: { state: STATES },
} as const

type Chosen = { payment: UnmatchedPayment; act: 'attach' | 'refund' }

/** USDT payments that did not settle anything automatically, and the actions for them. */
export function PaymentsPanel() {
  const text = useTexts(paymentTexts)
  const list = useListParams(DEFAULTS)
  const state = STATES.find((one) => one === list.state.filters.state) ?? 'unmatched'
  const query = { ...list.query, state }
  const result = useQuery(paymentQueries.list(query))
  const [chosen, setChosen] = useState<Chosen>()
  const close = () => setChosen(undefined)
  return (
    <Panel title={text('title')} className="wide-table">
      <p className="soft">{text('lead')}</p>
      <DataTable
        caption={text('title')}
        columns={columnsOf(text, setChosen)}
        rowKey={({ tx_hash, log_index }) => `${tx_hash} ${log_index}`}
        list={list}
        result={result}
        emptyText={text('empty')}
        errorText={text('listFailed')}
        searchLabel={text('search')}
        hasDateRange
        download={<ExportButton path="/admin/unmatched-payments" query={query} />}
        filters={
          <SelectField
            label={text('state')}
            value={state}
            onChoose={(chosen) => list.setFilter('state', chosen)}
          >
            {STATES.map((one) => (
              <option key={one} value={one}>
                {text(one)}
              </option>
            ))}
          </SelectField>
        }
      />
      {chosen?.act === 'attach' && <AttachPayment payment={chosen.payment} onClose={close} />}
      {chosen?.act === 'refund' && <MarkRefunded payment={chosen.payment} onClose={close} />}
    </Panel>
  )
}

type Text = Translate<typeof paymentTexts.english>

function columnsOf(text: Text, choose: (chosen: Chosen) => void): Column<UnmatchedPayment>[] {
  return [
    sortable(dateColumn('received_at', text('receivedAt'))),
    addressColumn('from_address', text('from'), 'bsc'),
    {
      id: 'amount_usdt',
      header: text('amount'),
      isSortable: true,
      align: 'end',
      cell: (row) => <Amount value={row.amount_usdt} unit="USDT" decimals="all" />,
    },
    {
      id: 'tx_hash',
      header: text('txHash'),
      cell: (row) => <ExplorerValue chain="bsc" kind="transaction" value={row.tx_hash} />,
    },
    {
      id: 'nearest',
      header: text('nearest'),
      cell: (row) => <NearestFee payment={row} />,
    },
    {
      id: 'action',
      header: text('action'),
      cell: (row) =>
        row.state === 'unmatched' ? (
          <div className="row">
            <QuietButton onClick={() => choose({ payment: row, act: 'attach' })}>
              {text('attach')}
            </QuietButton>
            <QuietButton onClick={() => choose({ payment: row, act: 'refund' })}>
              {text('refund')}
            </QuietButton>
          </div>
        ) : (
          <Handled payment={row} />
        ),
    },
  ]
}

function Handled({ payment }: { payment: UnmatchedPayment }) {
  const text = useTexts(paymentTexts)
  return (
    <div className="stack stack--tight">
      <p>
        <span className="badge">{text(payment.state)}</span>
      </p>
      {payment.note !== null && <p className="small code">{payment.note}</p>}
      {payment.handled_by !== null && (
        <p className="soft small">
          {text('handled')} <ExplorerValue chain="tron" kind="address" value={payment.handled_by} />{' '}
          <CopyButton value={payment.handled_by} label={text('copyAddress')} iconOnly />{' '}
          <DateTime value={payment.handled_at} />
        </p>
      )}
    </div>
  )
}
