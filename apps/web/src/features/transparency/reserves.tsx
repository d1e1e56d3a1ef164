import type { ReservesReply } from '@dct/api-contract/reports'
import { useQuery } from '@tanstack/react-query'
import { Term } from '../../shared/glossary/term.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { Callout } from '../../shared/ui/callout.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Fact } from '../../shared/ui/fact.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { StaleCallout } from '../../shared/ui/stale-callout.tsx'
import { blockAge } from './block-age.ts'
import { CheckYourself } from './check-yourself.tsx'
import { Cover } from './cover.tsx'
import { OwedList } from './owed-list.tsx'
import { PlanReservesTable } from './plan-reserves-table.tsx'
import { reservesQuery } from './transparency.api.ts'
import { transparencyTexts } from './transparency.texts.ts'
import './transparency.css'

/** What is owed next to the funds that cover it. */
export function Reserves() {
  const text = useTexts(transparencyTexts)
  const query = useQuery(reservesQuery)
  if (query.data === undefined) {
    return <NotLoaded query={query}>{text('loadFailed')}</NotLoaded>
  }
  const reserves = query.data
  return (
    <>
      <StaleCallout query={query} />
      {reserves.tron === null && <SilentNode chain="Tron" />}
      {reserves.bsc === null && <SilentNode chain="BSC" />}
      <Capital reserves={reserves} />
      <Rewards reserves={reserves} />
      <Referrals reserves={reserves} />
      <LastAudit audit={reserves.last_audit} />
      <CheckYourself planCodes={reserves.plans.map(({ plan_code }) => plan_code)} />
    </>
  )
}

type SectionProps = { reserves: ReservesReply }

function SilentNode({ chain }: { chain: string }) {
  const text = useTexts(transparencyTexts)
  return (
    <Callout tone="warn" role="status">
      <p>{text('nodeSilent', { chain })}</p>
    </Callout>
  )
}

function Capital({ reserves: { tron, booked, at } }: SectionProps) {
  const text = useTexts(transparencyTexts)
  return (
    <section className="panel" aria-labelledby="capital">
      <div className="panel__head">
        <h2 id="capital">
          <Term word="capital">{text('capital')}</Term>
        </h2>
        <Cover held={tron?.staking_balance} owed={tron?.total_locked} />
      </div>
      <p className="soft">{text('capitalHint')}</p>
      <dl className="facts">
        <Fact term={text('capitalLocked')}>
          <Amount value={tron?.total_locked} unit="DCT" />
        </Fact>
        <Fact term={text('capitalHeld')}>
          <Amount value={tron?.staking_balance} unit="DCT" />
        </Fact>
        <Fact term={text('capitalBooked')}>
          <Amount value={booked.locked} unit="DCT" />
        </Fact>
        <Fact term={text('stakes')}>{tron?.stakes ?? UNKNOWN}</Fact>
        <Fact term={text('stakesBooked')}>{booked.stakes}</Fact>
      </dl>
      <SeenAt block={tron?.block} at={at} />
    </section>
  )
}

function Rewards({ reserves: { tron, plans, at } }: SectionProps) {
  const text = useTexts(transparencyTexts)
  return (
    <section className="panel wide-table" aria-labelledby="rewards">
      <div className="panel__head">
        <h2 id="rewards">
          <Term word="reward">{text('rewards')}</Term>
        </h2>
        <Cover held={tron?.pool_balance} owed={tron?.pool_must_hold} />
      </div>
      <p className="soft">{text('rewardsHint')}</p>
      <dl className="facts">
        <Fact term={text('poolMustHold')}>
          <Amount value={tron?.pool_must_hold} unit="DCT" />
        </Fact>
        <Fact term={text('poolHolds')}>
          <Amount value={tron?.pool_balance} unit="DCT" />
        </Fact>
      </dl>
      <PlanReservesTable plans={plans} />
      <SeenAt block={tron?.block} at={at} />
    </section>
  )
}

function Referrals({ reserves: { bsc, booked, at } }: SectionProps) {
  const text = useTexts(transparencyTexts)
  return (
    <section className="panel" aria-labelledby="referral-rewards">
      <div className="panel__head">
        <h2 id="referral-rewards">{text('referrals')}</h2>
        <Cover held={bsc?.payout_wallet_balance} owed={booked.referral_owed} />
      </div>
      <p className="soft">{text('referralsHint')}</p>
      <dl className="facts">
        <Fact term={text('referralOwed')}>
          <Amount value={booked.referral_owed} unit="USDT" decimals="all" />
        </Fact>
        <Fact term={text('walletHolds')}>
          <Amount value={bsc?.payout_wallet_balance} unit="USDT" decimals="all" />
        </Fact>
      </dl>
      <OwedList />
      <SeenAt block={bsc?.block} at={at} />
    </section>
  )
}

function LastAudit({ audit }: { audit: ReservesReply['last_audit'] }) {
  const text = useTexts(transparencyTexts)
  return (
    <section className="panel" aria-labelledby="last-audit">
      <h2 id="last-audit">{text('audit')}</h2>
      <p className="soft">{text('auditHint')}</p>
      {audit === null ? (
        <p>{text('noAudit')}</p>
      ) : (
        <dl className="facts">
          <Fact term={text('auditAt')}>
            <DateTime value={audit.finished_at} />
          </Fact>
          <Fact term={text('auditKind')}>{text(audit.is_full ? 'auditFull' : 'auditOpen')}</Fact>
          <Fact term={text('auditCompared')}>{audit.compared}</Fact>
          <Fact
            term={text('auditDifferences')}
            {...(audit.differences > 0 && { tone: 'warn' as const })}
          >
            {audit.differences}
          </Fact>
          <Fact term={text('auditSkipped')}>{audit.skipped}</Fact>
        </dl>
      )}
    </section>
  )
}

type Block = NonNullable<ReservesReply['tron']>['block']

function SeenAt({ block, at }: { block: Block | undefined; at: string }) {
  const text = useTexts(transparencyTexts)
  if (block === undefined) return null
  const { unit, count } = blockAge(block.at, at)
  return (
    <p className="soft small">
      {text('seenAt', { number: block.number, age: text(unit, { count }) })}
    </p>
  )
}
