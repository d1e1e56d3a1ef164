import type { ChainHealth, JobHealth, LoopHealth } from '@dct/api-contract/operations'
import { useQuery } from '@tanstack/react-query'
import { CHAIN_NAMES } from '../../shared/config/chain-names.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { healthQueries } from './admin-health.api.ts'
import { healthTexts } from './admin-health.texts.ts'
import { HaltCallout } from './end-halt.tsx'
import './admin-health.css'

/** The watchers' progress and the state of all processes' background jobs. */
export function ServiceSections() {
  const text = useTexts(healthTexts)
  const health = useQuery(healthQueries.service)
  if (health.data === undefined) {
    return <NotLoaded query={health}>{text('loadFailed')}</NotLoaded>
  }
  const { chains, loops, jobs } = health.data
  return (
    <>
      <StaleCallout query={health} />
      <Panel title={text('chains')}>
        {chains.length === 0 && <p className="soft">{text('chainNever')}</p>}
        {chains.map((chain) => (
          <ChainFacts key={chain.chain} chain={chain} />
        ))}
      </Panel>
      <Loops loops={loops} />
      <Jobs jobs={jobs} />
    </>
  )
}

function ChainFacts({ chain }: { chain: ChainHealth }) {
  const text = useTexts(healthTexts)
  return (
    <article className="stack" aria-label={CHAIN_NAMES[chain.chain]}>
      <h3>{CHAIN_NAMES[chain.chain]}</h3>
      {chain.is_halted && <HaltCallout chain={chain.chain} />}
      <dl className="facts">
        <Fact term={text('blocksBehind')} hint={text('blocksBehindHint')}>
          {chain.blocks_behind}
        </Fact>
        <Fact term={text('block')}>{chain.block}</Fact>
        <Fact term={text('finalBlock')}>{chain.final_block}</Fact>
        <Fact term={text('headBlock')}>{chain.head_block}</Fact>
        <Fact
          term={text('lookedAt')}
          hint={text('secondsAgo', { seconds: chain.seconds_since_look })}
        >
          <DateTime value={chain.looked_at} />
        </Fact>
      </dl>
    </article>
  )
}

/** The background work of all processes: failing or silent work stands out, and the rest is summed up in one line. */
function Loops({ loops }: { loops: readonly LoopHealth[] }) {
  const text = useTexts(healthTexts)
  const odd = loops.filter((loop) => !isFine(loop))
  const fine = loops.filter(isFine)
  return (
    <Panel title={text('loops')}>
      {loops.length === 0 && <p className="soft">{text('noLoops')}</p>}
      {odd.map((loop) => (
        <LoopRow key={`${loop.host} ${loop.name}`} loop={loop} />
      ))}
      {fine.length > 0 && (
        <details>
          <summary>{text('loopsFine', { count: fine.length })}</summary>
          <div className="stack health-fold">
            {fine.map((loop) => (
              <LoopRow key={`${loop.host} ${loop.name}`} loop={loop} />
            ))}
          </div>
        </details>
      )}
    </Panel>
  )
}

function isFine({ is_silent, failures }: LoopHealth): boolean {
  return !is_silent && failures === 0
}

/** The job queues: those with failing jobs stand out, the others are summed up in one line. */
function Jobs({ jobs }: { jobs: readonly JobHealth[] }) {
  const text = useTexts(healthTexts)
  const fine = jobs.filter(({ attempts }) => attempts === 0)
  return (
    <Panel title={text('jobs')}>
      {jobs.length === 0 && <p className="soft">{text('noJobs')}</p>}
      {jobs
        .filter(({ attempts }) => attempts > 0)
        .map((job) => (
          <JobFacts key={job.queue} job={job} />
        ))}
      {fine.length > 0 && (
        <details>
          <summary>{text('jobsFine', { count: fine.length })}</summary>
          <div className="stack health-fold">
            {fine.map((job) => (
              <JobFacts key={job.queue} job={job} />
            ))}
          </div>
        </details>
      )}
    </Panel>
  )
}

function LoopRow({ loop }: { loop: LoopHealth }) {
  const text = useTexts(healthTexts)
  const isFailing = loop.failures > 0
  return (
    <article className="loop" aria-label={loop.name}>
      <strong>{loop.name}</strong>
      <span>
        <span className="badge" data-tone={loop.is_silent || isFailing ? 'bad' : 'good'}>
          {loop.is_silent
            ? text('silent')
            : isFailing
              ? text('failing', { count: loop.failures })
              : text('fine')}
        </span>
      </span>
      <span className="soft small">
        {text('reportedBy', { host: loop.host })} <DateTime value={loop.reported_at} />
      </span>
      {isFailing && loop.last_error !== null && (
        <p className="loop__error small code">{loop.last_error}</p>
      )}
    </article>
  )
}

function JobFacts({ job }: { job: JobHealth }) {
  const text = useTexts(healthTexts)
  return (
    <article className="stack stack--tight" aria-label={job.queue}>
      <h3>{job.queue}</h3>
      <dl className="facts">
        <Fact term={text('waiting')}>{job.waiting}</Fact>
        <Fact term={text('due')}>{job.due}</Fact>
        <Fact term={text('next')}>
          <DateTime value={job.next_at} />
        </Fact>
        {job.attempts > 0 && (
          <Fact term={text('lastError')} tone="warn">
            {text('failing', { count: job.attempts })} {job.last_error}
          </Fact>
        )}
      </dl>
    </article>
  )
}
