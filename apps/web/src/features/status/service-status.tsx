import type { StatusReply } from '@dct/api-contract/status'
import { useQuery } from '@tanstack/react-query'
import type { PropsWithChildren } from 'react'
import { Link } from 'react-router'
import { CHAIN_NAMES } from '../../shared/config/chain-names.ts'
import { type Translate, useLanguage, useTexts } from '../../shared/i18n/texts.ts'
import { durationParts } from '../../shared/lib/duration-parts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { statusQuery } from './status.api.ts'
import { statusTexts } from './status.texts.ts'

type StatusTranslate = Translate<(typeof statusTexts)['english']>
type Tone = 'good' | 'warn' | 'bad'

/** The status of the service, part by part. */
export function ServiceStatus() {
  const text = useTexts(statusTexts)
  const query = useQuery(statusQuery)
  if (query.data === undefined) {
    return <NotLoaded query={query}>{text('loadFailed')}</NotLoaded>
  }
  const status = query.data
  return (
    <>
      <StaleCallout query={query} />
      <Callout tone={status.is_well ? 'info' : 'warn'} role="status">
        <p>
          <b>{text(status.is_well ? 'allWell' : 'notWell')}</b>
        </p>
        {status.are_operators_alerted && <p>{text('alerted')}</p>}
      </Callout>
      {status.notes.map((note) => (
        <MaintenanceNote key={note.id} note={note} />
      ))}
      <Chains chains={status.chains} />
      <Payouts payouts={status.payouts} />
      <DailyRun run={status.daily_run} />
      <Price price={status.price} />
      <Audit audit={status.last_audit} />
      <Work state={status.background_work} />
    </>
  )
}

function MaintenanceNote({ note }: { note: StatusReply['notes'][number] }) {
  const text = useTexts(statusTexts)
  const isIndonesian = useLanguage() === 'id'
  return (
    <Callout>
      <p>
        <b>{text('planned')}</b> <DateTime value={note.starts_at} /> –{' '}
        <DateTime value={note.ends_at} />
      </p>
      <p>{isIndonesian ? note.text_id : note.text_en}</p>
    </Callout>
  )
}

type PartProps = PropsWithChildren<{ id: string; title: string; tone?: Tone; state?: string }>

/** One part of the service, with its state in one word. */
function Part({ id, title, tone, state, children }: PartProps) {
  return (
    <section className="panel" aria-labelledby={id}>
      <div className="panel__head">
        <h2 id={id}>{title}</h2>
        {state !== undefined && (
          <span className="badge" data-tone={tone}>
            {state}
          </span>
        )}
      </div>
      {children}
    </section>
  )
}

const CHAIN_TONES = { current: 'good', behind: 'warn', silent: 'warn', halted: 'bad' } as const

function Chains({ chains }: Pick<StatusReply, 'chains'>) {
  const text = useTexts(statusTexts)
  return (
    <Part id="chains" title={text('chains')}>
      <p className="soft">{text(chains.length === 0 ? 'chainsNever' : 'chainsHint')}</p>
      {chains.map((one) => (
        <article key={one.chain} className="stack stack--tight">
          <div className="row">
            <h3>{CHAIN_NAMES[one.chain]}</h3>
            <span className="badge" data-tone={CHAIN_TONES[one.state]}>
              {text(one.state)}
            </span>
          </div>
          <p>{sentenceOf(one, text)}</p>
        </article>
      ))}
    </Part>
  )
}

function sentenceOf(one: StatusReply['chains'][number], text: StatusTranslate): string {
  const inWords = (seconds: number) => {
    const { unit, count } = durationParts(seconds)
    return text(unit, { count })
  }
  switch (one.state) {
    case 'current':
      return text('currentText')
    case 'behind':
      return text('behindText', { ago: inWords(one.seconds_behind) })
    case 'silent':
      return text('silentText', { ago: inWords(one.seconds_since_look) })
    case 'halted':
      return text('haltedText')
  }
}

function Payouts({ payouts }: Pick<StatusReply, 'payouts'>) {
  const text = useTexts(statusTexts)
  const isLate = payouts.some((one) => one.is_late)
  return (
    <Part id="payouts" title={text('payouts')} {...stateOf(isLate, text)}>
      {isLate && <p>{text('payoutsLate')}</p>}
      <dl className="facts">
        {payouts.map(({ chain, waiting, oldest_at }) => (
          <Fact key={chain} term={text(`payouts${chain}`)}>
            {waiting === 0 ? (
              text('payoutsNone')
            ) : (
              <>
                {text('payoutsWaiting', { count: waiting })} <DateTime value={oldest_at} />
              </>
            )}
          </Fact>
        ))}
      </dl>
    </Part>
  )
}

function DailyRun({ run }: { run: StatusReply['daily_run'] }) {
  const text = useTexts(statusTexts)
  if (run === null) {
    return (
      <Part id="run" title={text('run')}>
        <p>{text('runNever')}</p>
      </Part>
    )
  }
  return (
    <Part id="run" title={text('run')} {...stateOf(run.is_late, text)}>
      {run.is_late && <p>{text('runLate')}</p>}
      <dl className="facts">
        <Fact term={text('runThrough')}>
          <DateTime value={run.through_day} />
        </Fact>
        <Fact term={text('runAt')}>
          <DateTime value={run.ran_at} />
        </Fact>
      </dl>
    </Part>
  )
}

function Price({ price }: Pick<StatusReply, 'price'>) {
  const text = useTexts(statusTexts)
  return (
    <Part
      id="price"
      title={text('price')}
      tone={price.is_current ? 'good' : 'warn'}
      state={text(price.is_current ? 'priceCurrent' : 'priceOld')}
    >
      {price.is_current || <p>{text('priceOldText')}</p>}
      <dl className="facts">
        <Fact term={text('priceAt')}>
          {price.at === null ? text('priceNever') : <DateTime value={price.at} />}
        </Fact>
      </dl>
    </Part>
  )
}

function Audit({ audit }: { audit: StatusReply['last_audit'] }) {
  const text = useTexts(statusTexts)
  if (audit === null) {
    return (
      <Part id="audit" title={text('audit')}>
        <p>{text('auditNever')}</p>
      </Part>
    )
  }
  return (
    <Part
      id="audit"
      title={text('audit')}
      tone={audit.is_green ? 'good' : 'bad'}
      state={text(audit.is_green ? 'auditGreen' : 'auditRed')}
    >
      <dl className="facts">
        <Fact term={text('auditAt')}>
          <DateTime value={audit.finished_at} />
        </Fact>
      </dl>
      <p>
        <Link to="/transparency#last-audit">{text('auditMore')}</Link>
      </p>
    </Part>
  )
}

const WORK_STATES = {
  running: ['good', 'well'],
  partly: ['warn', 'late'],
  stopped: ['bad', 'stopped'],
} as const

function Work({ state }: { state: StatusReply['background_work'] }) {
  const text = useTexts(statusTexts)
  const [tone, word] = WORK_STATES[state]
  return (
    <Part id="work" title={text('work')} tone={tone} state={text(word)}>
      <p>{text(`work${state}`)}</p>
    </Part>
  )
}

function stateOf(isLate: boolean, text: StatusTranslate): { tone: Tone; state: string } {
  return isLate ? { tone: 'warn', state: text('late') } : { tone: 'good', state: text('well') }
}
