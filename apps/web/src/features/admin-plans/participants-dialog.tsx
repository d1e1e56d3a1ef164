import type { AdminEarning } from '@dct/api-contract/earnings'
import { LIST_ORDERS } from '@dct/api-contract/lists'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { useListState } from '../../shared/lib/use-list-params.ts'
import { Amount } from '../../shared/ui/amount.tsx'
import { type Column, DataTable } from '../../shared/ui/data-table.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { ExportButton } from '../../shared/ui/export-button.tsx'
import { PARTICIPANT_PATHS, type Participants, planQueries } from './admin-plans.api.ts'
import { PLAN_COLUMNS, PLAN_WORDING, planTexts } from './admin-plans.texts.ts'

const columns = (): Column<AdminEarning>[] => [
  {
    id: 'tron_address',
    header: PLAN_COLUMNS.tronAddress,
    isSortable: true,
    cell: (row) => <ExplorerValue chain="tron" kind="address" value={row.tron_address} />,
  },
  {
    id: 'total_locked_amount',
    header: PLAN_COLUMNS.totalLocked,
    isSortable: true,
    align: 'end',
    cell: (row) => <Amount value={row.total_locked_amount} unit="DCT" />,
  },
  {
    id: 'daily_reward',
    header: PLAN_COLUMNS.dailyReward,
    isSortable: true,
    align: 'end',
    cell: (row) => <Amount value={row.daily_reward} unit="DCT" />,
  },
  {
    id: 'total_reward',
    header: PLAN_COLUMNS.totalReward,
    isSortable: true,
    align: 'end',
    cell: (row) => <Amount value={row.total_reward} unit="DCT" />,
  },
  {
    id: 'start_date',
    header: PLAN_COLUMNS.startDate,
    isSortable: true,
    cell: (row) => <DateTime value={row.start_date} />,
  },
  {
    id: 'end_date',
    header: PLAN_COLUMNS.endDate,
    isSortable: true,
    cell: (row) => <DateTime value={row.end_date} />,
  },
]

type ParticipantsDialogProps = { planCode: string; which: Participants; onClose(): void }

/** Users who locked tokens in a plan, either ever or today. */
export function ParticipantsDialog({ planCode, which, onClose }: ParticipantsDialogProps) {
  const text = useTexts(planTexts)
  const list = useListState(LIST_ORDERS.earnings)
  const query = { ...list.query, earning_plan_code: planCode }
  const result = useQuery(planQueries.participants(which, query))
  const title = text(which === 'all' ? 'participantsOf' : 'dailyParticipantsOf', { plan: planCode })
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <DataTable
        caption={title}
        columns={columns()}
        rowKey={(row) => row.id}
        list={list}
        result={result}
        emptyText={PLAN_WORDING.noParticipants}
        errorText={PLAN_WORDING.listFailed}
        searchLabel={text('searchParticipants')}
        download={<ExportButton path={PARTICIPANT_PATHS[which]} query={query} />}
      />
    </Dialog>
  )
}
