import { type QueryClient, QueryObserver, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { type Earning, earningsQueries } from '../../shared/api/earnings.api.ts'
import { FIRST_EARNINGS } from '../../shared/api/first-calls.ts'
import { clock } from '../../shared/clock.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useTx } from '../../shared/tx/tx-provider.tsx'
import { TX_WAIT_MS } from '../../shared/tx/tx-stage.ts'
import { toast } from '../../shared/ui/toast-store.ts'
import { InProgressCallout } from './in-progress-callout.tsx'
import { followJoin } from './join-flow.ts'
import { joinTexts } from './join-plan.texts.ts'
import { joinErrorText, useRefreshAfterJoin } from './use-join.ts'
import { shownJoins, useJoinDeps } from './use-join-deps.ts'

type AnnouncedJoinProps = {
  earning: Earning
  /** When the service reported the lock, in milliseconds since 1970. */
  answeredAt: number
}

/** A lock that was sent from another device, or already recorded by its own page; the service tracks it to its end. */
export function AnnouncedJoin({ earning, answeredAt }: AnnouncedJoinProps) {
  const text = useTexts(joinTexts)
  const { run, isRunning } = useTx()
  const { steps, of } = useJoinDeps()
  const queryClient = useQueryClient()
  const refresh = useRefreshAfterJoin()
  const { trx_hash: hash, earning_plan_code: plan, total_locked_amount: amount } = earning
  // Based on the service's clock, because this device's clock may be wrong.
  const deadline = answeredAt - (earning.waited_seconds ?? 0) * 1000 + TX_WAIT_MS

  const follow = useEffectEvent(async (signal: AbortSignal) => {
    shownJoins.opened(hash)
    const decided = untilDecided(queryClient, hash, signal)
    const result = await run({
      steps,
      deadline,
      onClose: () => shownJoins.keepClosed(hash),
      work: (report) => followJoin(of(report, signal), { hash, decided }),
    })
    if (!result.ok && signal.aborted) return
    shownJoins.keepClosed(hash)
    if (result.ok) toast.money(text('joinedPlan', { plan, amount }))
    else toast.error(joinErrorText(result.error))
    await refresh()
  })
  const isDue = useEffectEvent(() => {
    return !isRunning && deadline > clock.now().getTime() && shownJoins.mayOpen(hash)
  })
  useEffect(() => {
    const stop = new AbortController()
    if (isDue()) void follow(stop.signal)
    return () => stop.abort()
  }, [])

  return <InProgressCallout hash={hash} plan={plan} amount={amount} deadline={deadline} />
}

/**
 * Resolves with the earning once it is decided, by watching the list that the page polls anyway. Rejects when aborted.
 */
function untilDecided(
  queryClient: QueryClient,
  hash: string,
  signal: AbortSignal,
): Promise<Earning> {
  const observer = new QueryObserver(queryClient, earningsQueries.list(FIRST_EARNINGS))
  let stop: (() => void) | undefined
  const decided = new Promise<Earning>((resolve, reject) => {
    stop = observer.subscribe(({ data }) => {
      const found = data?.earnings.find(({ trx_hash }) => trx_hash === hash)
      if (found && found.is_hash_confirmed !== 'WAITING') resolve(found)
    })
    signal.addEventListener('abort', () => reject(signal.reason))
  })
  return decided.finally(() => stop?.())
}
