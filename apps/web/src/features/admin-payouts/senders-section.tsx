import type { SendersReply } from '@dct/api-contract/payouts'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { payoutQueries } from './admin-payouts.api.ts'
import { payoutTexts } from './admin-payouts.texts.ts'

type Sender = SendersReply['senders'][number]

/** How much is queued for each sender. */
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
    </Panel>
  )
}

function SenderFacts({ sender }: { sender: Sender }) {
  const text = useTexts(payoutTexts)
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
    </article>
  )
}
