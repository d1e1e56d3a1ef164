import type { SendersReply } from '@dct/api-contract/payouts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Notice } from '../../shared/ui/notice.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { payoutQueries, usePayoutAct } from './admin-payouts.api.ts'
import { payoutTexts } from './admin-payouts.texts.ts'
import { ExplainPayment } from './payout-dialogs.tsx'

type Sender = SendersReply['senders'][number]
type OpenPayment = SendersReply['open_payments'][number]

/** How much is queued for each sender, what blocks it, and payments that the service did not order. */
export function SendersSection() {
  const text = useTexts(payoutTexts)
  const senders = useQuery(payoutQueries.senders)
  if (senders.data === undefined) {
    return <NotLoaded query={senders}>{text('sendersFailed')}</NotLoaded>
  }
  return (
    <Panel title={text('senders')}>
      {senders.data.senders.length === 0 && <p className="soft">{text('noSenders')}</p>}
      {senders.data.senders.map((sender) => (
        <SenderFacts key={sender.chain} sender={sender} />
      ))}
      {senders.data.open_payments.length > 0 && (
        <OpenPayments payments={senders.data.open_payments} />
      )}
    </Panel>
  )
}

function SenderFacts({ sender }: { sender: Sender }) {
  const text = useTexts(payoutTexts)
  const resume = usePayoutAct('/admin/senders/resume')
  const goOn = () =>
    resume.mutate(
      {},
      {
        onSuccess: ({ message }) => toast.success(message),
        onError: (error) => toast.error(errorText(error, text('failed'))),
      },
    )
  const isTron = sender.chain === 'TRON'
  return (
    <article className="stack" aria-label={sender.chain}>
      <h3>{text(isTron ? 'senderTron' : 'senderBsc')}</h3>
      <dl className="facts">
        <Fact term={text('address')}>
          <ExplorerValue chain={isTron ? 'tron' : 'bsc'} kind="address" value={sender.address} />
        </Fact>
        <Fact term={text('waiting')}>{sender.queued}</Fact>
        <Fact term={text('sent')}>{sender.on_the_way}</Fact>
        <Fact term={text('held')} {...(sender.held > 0 && { tone: 'warn' })}>
          {sender.held}
        </Fact>
        <Fact term={text('oldest')}>
          {sender.oldest_at === null ? text('none') : <DateTime value={sender.oldest_at} />}
        </Fact>
      </dl>
      {sender.held_reason !== null && (
        <Notice tone="bad">
          <p>{text('senderHeld', { reason: sender.held_reason })}</p>
          <p>
            <SmallButton disabled={resume.isPending} onClick={goOn}>
              {text('resume')}
            </SmallButton>
          </p>
        </Notice>
      )}
    </article>
  )
}

function OpenPayments({ payments }: { payments: readonly OpenPayment[] }) {
  const text = useTexts(payoutTexts)
  const [chosen, setChosen] = useState<OpenPayment>()
  return (
    <div className="stack">
      <h3>{text('openPayments')}</h3>
      {payments.map((payment) => {
        const chain = payment.chain === 'TRON' ? 'tron' : 'bsc'
        return (
          <div key={`${payment.tx_hash} ${payment.log_index}`} className="row">
            <DateTime value={payment.at} />
            <Amount
              value={payment.amount}
              unit={payment.chain === 'TRON' ? 'DCT' : 'USDT'}
              decimals="all"
            />
            <ExplorerValue chain={chain} kind="address" value={payment.to_address} />
            <ExplorerValue chain={chain} kind="transaction" value={payment.tx_hash} />
            <QuietButton onClick={() => setChosen(payment)}>{text('explain')}</QuietButton>
          </div>
        )
      })}
      {chosen !== undefined && (
        <ExplainPayment payment={chosen} onClose={() => setChosen(undefined)} />
      )}
    </div>
  )
}
