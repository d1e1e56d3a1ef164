import { AT, hash, NOBODY, type Row, SHORT, type TableGuards } from './guard.ts'

const archive: Row = {
  id: 1,
  month: '2026-01-01',
  row_count: 1,
  credited: 1,
  lapsed: 0,
  sha256: hash(1),
  archived_at: AT,
}
const span: Row = {
  earning_id: 1,
  first_day: '2026-01-16',
  last_day: '2026-01-17',
  is_lapsed: false,
  amount: 2,
  archive_id: 1,
}

/** Archived cycles. Earning 1 exists. */
export const ARCHIVE_GUARDS: readonly TableGuards[] = [
  {
    table: 'reward_archive',
    rows: [archive],
    next: { ...archive, id: 2 },
    refused: {
      reward_archive_pkey: { id: 1 },
      reward_archive_month_check: { month: '2026-01-16' },
      reward_archive_row_count_check: { row_count: 0 },
      reward_archive_credited_check: { credited: -1 },
      reward_archive_lapsed_check: { lapsed: -1 },
      reward_archive_sha256_check: { sha256: SHORT },
    },
  },
  {
    table: 'reward_span',
    rows: [span],
    next: { ...span, first_day: '2026-01-20', last_day: '2026-01-20' },
    refused: {
      reward_span_pkey: { first_day: '2026-01-16' },
      reward_span_amount_check: { amount: -1 },
      reward_span_check: { last_day: '2026-01-19' },
      reward_span_earning_id_fkey: { earning_id: NOBODY },
      reward_span_archive_id_fkey: { archive_id: NOBODY },
    },
  },
]
