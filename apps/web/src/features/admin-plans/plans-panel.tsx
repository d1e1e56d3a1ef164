import { LIST_ORDERS } from '@dct/api-contract/lists'
import type { EarningPlan } from '@dct/api-contract/plans'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Translate, useTexts } from '../../shared/i18n/texts.ts'
import { compareDecimals } from '../../shared/lib/decimal.ts'
import { useListParams } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { amountColumn, sortable, textColumn } from '../../shared/ui/columns.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { type Participants, planQueries } from './admin-plans.api.ts'
import { PLAN_COLUMNS, PLAN_WORDING, planTexts } from './admin-plans.texts.ts'
import { ParticipantsDialog } from './participants-dialog.tsx'
import { PlanEditor } from './plan-editor.tsx'
import { UnfinishedFundings } from './unfinished-fundings.tsx'
import '../../shared/ui/wide-table.css'
import './admin-plans.css'

const DEFAULTS = { prefix: 'plan-', ...LIST_ORDERS.plans } as const

/** What is being edited: an existing plan or a new one. */
type Edited = { plan: EarningPlan | undefined }
type Shown = { planCode: string; which: Participants }

/** The plans, their participants, and the form that creates and edits them. */
export function PlansPanel() {
  const text = useTexts(planTexts)
  const list = useListParams(DEFAULTS)
  const result = useQuery(planQueries.list(list.query))
  const [edited, setEdited] = useState<Edited>()
  const [shown, setShown] = useState<Shown>()
  const planColumns = [
    ...columnsOf(text),
    {
      id: 'action',
      header: PLAN_COLUMNS.action,
      cell: (plan: EarningPlan) => (
        <PlanActions
          onEdit={() => setEdited({ plan })}
          onShow={(which) => setShown({ planCode: plan.plan_code, which })}
        />
      ),
    },
  ]
  return (
    <section className="stack" aria-label={PLAN_WORDING.plans}>
      <UnfinishedFundings />
      {edited !== undefined && (
        <PlanEditor
          key={edited.plan?.plan_code ?? ''}
          plan={edited.plan}
          onClose={() => setEdited(undefined)}
        />
      )}
      <div className="panel wide-table wide-table--folds plans">
        <p>
          <button type="button" className="button" onClick={() => setEdited({ plan: undefined })}>
            {text('add')}
          </button>
        </p>
        <DataTable
          caption={PLAN_WORDING.plans}
          columns={planColumns}
          rowKey={(plan) => plan.plan_code}
          list={list}
          result={result}
          emptyText={PLAN_WORDING.noPlans}
          errorText={PLAN_WORDING.listFailed}
          searchLabel={text('search')}
          download={<ExportButton path="/admin/earning-plans" query={list.query} />}
        />
      </div>
      {shown !== undefined && <ParticipantsDialog {...shown} onClose={() => setShown(undefined)} />}
    </section>
  )
}

type PlanActionsProps = { onEdit(): void; onShow(which: Participants): void }

function PlanActions({ onEdit, onShow }: PlanActionsProps) {
  const actions: [string, () => void][] = [
    [PLAN_WORDING.edit, onEdit],
    [PLAN_WORDING.participants, () => onShow('all')],
    [PLAN_WORDING.dailyParticipants, () => onShow('today')],
  ]
  return (
    <div className="plan-actions">
      {actions.map(([name, act]) => (
        <QuietButton key={name} onClick={act}>
          {name}
        </QuietButton>
      ))}
    </div>
  )
}

const yesOrNo = (value: boolean) => (value ? PLAN_WORDING.yes : PLAN_WORDING.no)

/** With accumulation, the unused parts of earlier days can make it more than the limit of one day. */
function RemainingToday({ plan }: { plan: EarningPlan }) {
  const text = useTexts(planTexts)
  const { remaining_daily_quota: remaining, daily_limit: limit } = plan
  return (
    <>
      <Amount value={remaining} unit="DCT" />
      {compareDecimals(remaining, limit) > 0 && <p className="soft small">{text('carriedOver')}</p>}
    </>
  )
}

/** Opening and closing a plan on chain takes a moment; until then the plan's state differs from the switch. */
function PlanActive({ plan }: { plan: EarningPlan }) {
  const text = useTexts(planTexts)
  const { chain_state: state } = plan
  return (
    <>
      <span className="badge" data-tone={plan.is_active ? 'good' : undefined}>
        {yesOrNo(plan.is_active)}
      </span>
      {(state === 'opening' || state === 'closing') && <p className="soft">{text(state)}</p>}
    </>
  )
}

const columnsOf = (text: Translate<typeof planTexts.english>): Column<EarningPlan>[] => [
  {
    id: 'plan_code',
    header: PLAN_COLUMNS.planCode,
    isSortable: true,
    cell: (plan) => <strong className="plan-code">{plan.plan_code}</strong>,
  },
  sortable(textColumn('name', PLAN_COLUMNS.name)),
  {
    id: 'duration_days',
    header: PLAN_COLUMNS.duration,
    isSortable: true,
    align: 'end',
    cell: (plan) => text('days', { count: plan.duration_days }),
  },
  sortable(amountColumn('total_reward', PLAN_COLUMNS.totalReward, 'DCT')),
  {
    id: 'total_percentage',
    header: PLAN_COLUMNS.totalPercentage,
    isSortable: true,
    align: 'end',
    cell: (plan) => (
      <>
        <Amount value={plan.total_percentage} decimals={2} />%
      </>
    ),
  },
  sortable(amountColumn('max_token_allowed', PLAN_COLUMNS.maxTokenAllowed, 'DCT')),
  sortable(amountColumn('daily_limit', PLAN_COLUMNS.dailyLimit, 'DCT')),
  {
    id: 'remaining_daily_quota',
    header: PLAN_COLUMNS.remainingDailyLimit,
    align: 'end',
    cell: (plan) => <RemainingToday plan={plan} />,
  },
  amountColumn('remaining_annual_quota', PLAN_COLUMNS.remainingAnnualQuota, 'DCT'),
  {
    id: 'is_accumulation_active',
    header: PLAN_COLUMNS.activeAccumulation,
    isSortable: true,
    cell: (plan) => yesOrNo(plan.is_accumulation_active),
  },
  {
    id: 'is_active',
    header: PLAN_COLUMNS.planActive,
    isSortable: true,
    cell: (plan) => <PlanActive plan={plan} />,
  },
]
