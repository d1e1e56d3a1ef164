import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { clock } from '../../shared/clock.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useSession } from '../../shared/session/session.tsx'
import type { SentTransaction } from '../../shared/tx/sent-transactions.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import { silentReport, type TxReport } from '../../shared/tx/tx-report.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { AnnouncedJoin } from './announced-join.tsx'
import { InProgressCallout } from './in-progress-callout.tsx'
import { isTemporary, JOIN_KIND, resumeJoin } from './join-flow.ts'
import { joinTexts } from './join-plan.texts.ts'
import { joinErrorText, useRefreshAfterJoin } from './use-join.ts'
import { liveJoins, sentJoins, useJoinDeps } from './use-join-deps.ts'

const LOOK_EVERY_MS = 3_000
const RETRY_MS = 10_000

/** Locks that are not decided yet: sent before a reload, sent on another device, or not yet recorded by the service. */
export function JoinsInProgress() {
  const owner = useSession().user?.tron_address
  const { isReady } = useJoinDeps()
  const [sent, setSent] = useState<SentTransaction[]>([])
  const [live, setLive] = useState<SentTransaction[]>([])
  const { data, dataUpdatedAt } = useQuery({
    ...earningsQueries.list(FIRST_EARNINGS),
    enabled: owner !== undefined,
  })

  const look = () => {
    const all = owner === undefined ? [] : sentJoins.list({ kind: JOIN_KIND, owner })
    const [mine, others] = [true, false].map((isLive) =>
      all.filter(({ hash }) => liveJoins.has(hash) === isLive),
    )
    if (others && JSON.stringify(others) !== JSON.stringify(sent)) setSent(others)
    if (mine && JSON.stringify(mine) !== JSON.stringify(live)) setLive(mine)
  }
  const onTick = useEffectEvent(look)
  useEffect(() => {
    onTick()
    const timer = setInterval(() => onTick(), LOOK_EVERY_MS)
    return () => clearInterval(timer)
  }, [])

  // The service reads the chain itself, so once it has confirmed a lock, this page need not follow it.
  const confirmed = data?.earnings.filter(
    ({ is_hash_confirmed }) => is_hash_confirmed === 'SUCCESS',
  )
  const isKnown = ({ facts }: SentTransaction) =>
    confirmed?.some(({ earning_plan_code }) => earning_plan_code === facts.planCode) ?? false
  const known = sent.filter(isKnown)
  useEffect(() => {
    for (const { hash } of known) sentJoins.remove(hash)
  }, [known])

  if (!isReady || data === undefined) return null
  const isOpen = (one: SentTransaction) => !isKnown(one)
  const [own, followed] = [sent.filter(isOpen), live.filter(isOpen)]
  const announced = data.earnings.filter(
    ({ is_hash_confirmed, trx_hash }) =>
      is_hash_confirmed === 'WAITING' &&
      ![...own, ...followed].some(({ hash }) => hash === trx_hash),
  )
  return (
    <>
      {followed.map((one) => (
        <JoinCallout key={one.hash} sent={one} />
      ))}
      {own.map((one) => (
        <JoinInProgress key={one.hash} sent={one} onEnd={look} />
      ))}
      {announced.map((earning) => (
        <AnnouncedJoin key={earning.trx_hash} earning={earning} answeredAt={dataUpdatedAt} />
      ))}
    </>
  )
}

function JoinInProgress({ sent, onEnd }: { sent: SentTransaction; onEnd(): void }) {
  const text = useTexts(joinTexts)
  const { run } = useTx()
  const { steps, of } = useJoinDeps()
  const refresh = useRefreshAfterJoin()
  const { planCode: plan = '', amount = '' } = sent.facts

  const follow = useEffectEvent(async (signal: AbortSignal) => {
    const isInTime = sent.deadline > clock.now().getTime()
    const work = (report: TxReport) => resumeJoin(of(report, signal), sent)
    const result = isInTime
      ? await run({ steps, deadline: sent.deadline, work })
      : await quietly(work, sent.deadline)
    if (signal.aborted) return false
    if (!result.ok && isTemporary(result.error)) return true
    if (!result.ok) toast.error(joinErrorText(result.error))
    // Otherwise the service looks for it, and the page shows it as announced.
    else if (result.value === 'joined') toast.money(text('joinedPlan', { plan, amount }))
    await refresh()
    onEnd()
    return false
  })
  useEffect(() => {
    const stop = new AbortController()
    void followUntilDecided(() => follow(stop.signal), stop.signal)
    return () => stop.abort()
  }, [])

  return <JoinCallout sent={sent} />
}

/** Also shown for a lock that this page is working on, since its overlay can be closed. */
function JoinCallout({ sent }: { sent: SentTransaction }) {
  const { planCode: plan = '', amount = '' } = sent.facts
  return <InProgressCallout hash={sent.hash} plan={plan} amount={amount} deadline={sent.deadline} />
}

async function followUntilDecided(
  follow: () => Promise<boolean>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted && (await follow())) {
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
  }
}

/** Does the same work without the overlay, after its countdown has ended. */
async function quietly<T>(
  work: (report: TxReport) => Promise<T>,
  deadline: number,
): Promise<{ ok: true; value: T } | { ok: false; error: unknown }> {
  try {
    return { ok: true, value: await work(silentReport(deadline)) }
  } catch (error) {
    return { ok: false, error }
  }
}
