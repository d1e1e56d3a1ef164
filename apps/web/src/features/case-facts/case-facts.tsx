import { CHAIN_EVENTS } from '@dct/api-contract/codes'
import type { SupportCase } from '@dct/api-contract/reports'
import type { ReactNode } from 'react'
import { CHAIN_NAMES } from '../../shared/config/chain-names.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { CodeName } from '../../shared/ui/code-name.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { caseTexts } from './case-facts.texts.ts'
import '../../shared/ui/wide-table.css'

type CaseFactsProps = { found: SupportCase }
type Text = ReturnType<typeof useTexts<(typeof caseTexts)['english']>>

/** A claim with its payments, its payouts and the related events on chain. */
export function CaseFacts({ found }: CaseFactsProps) {
  return (
    <>
      <ClaimFacts found={found} />
      <Payments found={found} />
      <Payouts found={found} />
      <Events found={found} />
    </>
  )
}

function ClaimFacts({ found }: CaseFactsProps) {
  const text = useTexts(caseTexts)
  return (
    <section className="panel" aria-labelledby="case-claim">
      <div className="panel__head">
        <h2 id="case-claim">{text('claim')}</h2>
        <span className="badge" data-tone={found.state === 'paid' ? 'good' : 'warn'}>
          {stateName(text, found.state)}
        </span>
      </div>
      <dl className="facts">
        <Fact term={text('holder')}>
          {found.tron_address.includes('...') ? (
            <span className="code">{found.tron_address}</span>
          ) : (
            <ExplorerValue chain="tron" kind="address" value={found.tron_address} />
          )}
        </Fact>
        <Fact term={text('plan')}>{found.plan_code}</Fact>
        <Fact term={text('type')}>{found.claim_type}</Fact>
        <Fact term={text('cycles')}>
          {found.first_cycle} – {found.last_cycle}
        </Fact>
        <Fact term={text('claimed')}>
          <Amount value={found.claimed_amount} unit="DCT" />
        </Fact>
        <Fact term={text('atOnce')}>
          <Amount value={found.now_amount} unit="DCT" />
        </Fact>
        <Fact term={text('later')}>
          <Amount value={found.later_amount} unit="DCT" />
        </Fact>
        <Fact term={text('price')}>
          <Amount value={found.price_usdt} decimals="all" />
        </Fact>
        <Fact term={text('fee')}>
          <Amount value={found.fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('energy')}>
          <Amount value={found.energy_fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('exact')}>
          <Amount value={found.exact_fee_usdt} unit="USDT" />
        </Fact>
        <Fact term={text('receiver')}>
          <ExplorerValue chain="bsc" kind="address" value={found.receiver} />
        </Fact>
        <Fact term={text('requested')}>
          <DateTime value={found.requested_at} />
        </Fact>
        <Fact term={text('feeUntil')}>
          <DateTime value={found.fee_until} />
        </Fact>
        <Fact term={text('feePaid')}>
          <DateTime value={found.paid_at} />
        </Fact>
        <Fact term={text('deadline')}>
          <DateTime value={found.deadline} />
        </Fact>
        {found.closed_at && (
          <Fact term={text('closed')}>
            <DateTime value={found.closed_at} />
          </Fact>
        )}
      </dl>
    </section>
  )
}

function Payments({ found: { payments } }: CaseFactsProps) {
  const text = useTexts(caseTexts)
  return (
    <Part title={text('payments')} emptyText={text('noPayments')} count={payments.length}>
      <PlainTable
        caption={text('payments')}
        columns={[
          { header: text('received') },
          { header: text('hash') },
          { header: text('from') },
          { header: text('amount'), align: 'end' },
          { header: text('state') },
        ]}
        rows={payments.map((payment) => ({
          key: payment.tx_hash + payment.received_at,
          cells: [
            <DateTime key="at" value={payment.received_at} />,
            <ExplorerValue key="hash" chain="bsc" kind="transaction" value={payment.tx_hash} />,
            <ExplorerValue key="from" chain="bsc" kind="address" value={payment.from_address} />,
            <Amount key="amount" value={payment.amount_usdt} unit="USDT" decimals="all" />,
            stateName(text, payment.state),
          ],
        }))}
      />
    </Part>
  )
}

function Payouts({ found: { payouts } }: CaseFactsProps) {
  const text = useTexts(caseTexts)
  return (
    <Part title={text('payouts')} emptyText={text('noPayouts')} count={payouts.length}>
      <PlainTable
        caption={text('payouts')}
        columns={[
          { header: text('part') },
          { header: text('amount'), align: 'end' },
          { header: text('state') },
          { header: text('reason') },
          { header: text('attempts'), align: 'end' },
          { header: text('hash') },
          { header: text('date') },
        ]}
        rows={payouts.map((payout) => ({
          key: payout.id,
          cells: [
            text(payout.part === 'now' ? 'partNow' : 'partLater'),
            <Amount key="amount" value={payout.amount} unit="DCT" />,
            stateName(text, payout.state),
            payout.reason ?? UNKNOWN,
            payout.attempts,
            payout.tx_hash ? (
              <ExplorerValue key="hash" chain="tron" kind="transaction" value={payout.tx_hash} />
            ) : (
              UNKNOWN
            ),
            <DateTime key="at" value={payout.final_at ?? payout.created_at} />,
          ],
        }))}
      />
    </Part>
  )
}

function Events({ found: { events } }: CaseFactsProps) {
  const text = useTexts(caseTexts)
  return (
    <Part title={text('events')} emptyText={text('noEvents')} count={events.length}>
      <PlainTable
        caption={text('events')}
        columns={[
          { header: text('date') },
          { header: text('chain') },
          { header: text('event') },
          { header: text('block'), align: 'end' },
          { header: text('hash') },
        ]}
        rows={events.map((event, index) => ({
          key: `${event.tx_hash} ${event.name} ${index}`,
          cells: [
            <DateTime key="at" value={event.at} />,
            CHAIN_NAMES[event.chain],
            <CodeName key="name" codes={CHAIN_EVENTS} code={event.name} />,
            event.block_number,
            <ExplorerValue
              key="hash"
              chain={event.chain === 'TRON' ? 'tron' : 'bsc'}
              kind="transaction"
              value={event.tx_hash}
            />,
          ],
        }))}
      />
    </Part>
  )
}

type PartProps = { title: string; emptyText: string; count: number; children: ReactNode }

function Part({ title, emptyText, count, children }: PartProps) {
  return (
    <Panel title={title} className="wide-table">
      {count === 0 ? <p className="soft">{emptyText}</p> : children}
    </Panel>
  )
}

const STATES = [
  ...(['awaiting_fee', 'paid', 'cancelled', 'lapsed'] as const),
  ...(['settled', 'unmatched', 'refunded', 'internal', 'dust'] as const),
  ...(['waiting', 'sent', 'final', 'returned'] as const),
]

/** A state without a text yet is shown under the service's name for it. */
function stateName(text: Text, state: string): string {
  const known = STATES.find((name) => name === state)
  return known === undefined ? state : text(known)
}
