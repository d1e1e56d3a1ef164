import type { UnmatchedPayment } from '@dct/api-contract/claims'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { paymentQueries } from './admin-payments.api.ts'
import { paymentTexts } from './admin-payments.texts.ts'
import { AttachPayment } from './attach-payment.tsx'
import { MarkRefunded } from './mark-refunded.tsx'
import { NearestFee } from './nearest-fee.tsx'
import '../../shared/ui/wide-table.css'

type State = UnmatchedPayment['state']
const STATES: readonly State[] = ['unmatched', 'settled', 'refunded', 'internal']
const DEFAULTS = {
  prefix: 'pay-',
  ...LIST_ORDERS.unmatchedPayments,
  filters: { state: 'unmatched' },
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
    <section className="panel wide-table" aria-label={text('title')}>
      <h2>{text('title')}</h2>
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
          <label className="field">
            <span className="field__label">{text('state')}</span>
            <select
              className="input"
              value={state}
              onChange={(event) => list.setFilter('state', event.target.value)}
            >
              {STATES.map((one) => (
                <option key={one} value={one}>
                  {text(one)}
                </option>
              ))}
            </select>
          </label>
        }
      />
      {chosen?.act === 'attach' && <AttachPayment payment={chosen.payment} onClose={close} />}
      {chosen?.act === 'refund' && <MarkRefunded payment={chosen.payment} onClose={close} />}
    </section>
  )
}

type Text = Translate<typeof paymentTexts.english>

function columnsOf(text: Text, choose: (chosen: Chosen) => void): Column<UnmatchedPayment>[] {
  return [
    {
      id: 'received_at',
      header: text('receivedAt'),
      isSortable: true,
      cell: (row) => <DateTime value={row.received_at} />,
    },
    {
      id: 'from_address',
      header: text('from'),
      cell: (row) => <ExplorerValue chain="bsc" kind="address" value={row.from_address} />,
    },
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
            <ActionButton
              name={text('attach')}
              onClick={() => choose({ payment: row, act: 'attach' })}
            />
            <ActionButton
              name={text('refund')}
              onClick={() => choose({ payment: row, act: 'refund' })}
            />
          </div>
        ) : (
          <Handled payment={row} />
        ),
    },
  ]
}

function ActionButton({ name, onClick }: { name: string; onClick(): void }) {
  return (
    <button type="button" className="button button--quiet button--small" onClick={onClick}>
      {name}
    </button>
  )
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
