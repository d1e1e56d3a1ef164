import type { EndHaltBody, HaltEvent, HaltReply } from '@dct/api-contract/chains'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { CHAIN_NAMES } from '../../shared/config/chain-names.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { LoadFailed } from '../../shared/ui/load-failed.tsx'
import { SmallButton } from '../../shared/ui/small-button.tsx'
import { toastAndClose } from '../../shared/ui/toast-and-close.ts'
import { healthQueries, useEndHalt } from './admin-health.api.ts'
import { healthTexts } from './admin-health.texts.ts'

type ChainName = EndHaltBody['chain']

/** Reports that a chain is halted, and opens the dialog that ends the halt. */
export function HaltCallout({ chain }: { chain: ChainName }) {
  const text = useTexts(healthTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <Callout tone="bad">
      <p>{text('halted')}</p>
      <p>
        <SmallButton aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
          {text('inspectHalt')}
        </SmallButton>
      </p>
      {isOpen && <EndHalt chain={chain} onClose={() => setIsOpen(false)} />}
    </Callout>
  )
}

/** Shows what changed on a halted chain, and asks for confirmation to continue. */
function EndHalt({ chain, onClose }: { chain: ChainName; onClose(): void }) {
  const text = useTexts(healthTexts)
  const look = useQuery(healthQueries.halt(chain))
  const end = useEndHalt()
  const goOn = (digest: string) =>
    end.mutate(
      { chain, digest },
      {
        onSuccess: toastAndClose(onClose),
        // The changes may no longer be current; show the latest ones.
        onError: () => void look.refetch(),
      },
    )
  return (
    <Dialog title={text('endHaltTitle', { chain: CHAIN_NAMES[chain] })} onClose={onClose}>
      {look.isError && (
        <LoadFailed onRetry={() => void look.refetch()}>
          {errorText(look.error, text('haltFailed'))}
        </LoadFailed>
      )}
      {look.isPending && <p role="status">{text('readingAgain')}</p>}
      {look.data !== undefined && <Changes look={look.data} />}
      {end.isError && (
        <p className="field__error" role="alert">
          {errorText(end.error, text('failed'))}
        </p>
      )}
      <div className="dialog__actions">
        <button type="button" className="button button--quiet" onClick={onClose}>
          {text('leaveHalted')}
        </button>
        {look.data !== undefined && (
          <button
            type="button"
            className="button"
            disabled={end.isPending || look.isFetching}
            onClick={() => goOn(look.data.digest)}
          >
            {text('endHalt')}
          </button>
        )}
      </div>
    </Dialog>
  )
}

function Changes({ look }: { look: HaltReply }) {
  const text = useTexts(healthTexts)
  const chain = look.chain === 'TRON' ? 'tron' : 'bsc'
  const { block, read_from: from, read_to: to } = look
  const isSame = look.undone.length + look.added.length + look.changed.length === 0
  return (
    <>
      <p>{text('haltedBlock', { block })}</p>
      <p>{to < from ? text('blockIsBack') : text('readAgain', { from, to })}</p>
      {isSame && <p>{text('nothingChanged')}</p>}
      <Events title={text('undoneEvents')} events={look.undone} chain={chain} />
      <Events title={text('addedEvents')} events={look.added} chain={chain} />
      <Events title={text('changedEvents')} events={look.changed} chain={chain} />
      {look.moved > 0 && <p>{text('movedEvents', { count: look.moved })}</p>}
    </>
  )
}

type EventsProps = { title: string; events: readonly HaltEvent[]; chain: 'tron' | 'bsc' }

function Events({ title, events, chain }: EventsProps) {
  if (events.length === 0) return null
  return (
    <section className="stack stack--tight" aria-label={title}>
      <h3>{title}</h3>
      <ul>
        {events.map((event) => (
          <li key={`${event.tx_hash} ${event.log_index}`}>
            {event.name} <ExplorerValue chain={chain} kind="transaction" value={event.tx_hash} />
            <span className="soft small code">
              {Object.entries(event.args)
                .map(([name, value]) => ` ${name}=${value}`)
                .join('')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
