/** The facts of the whole service as gauges: every process reports the same, from the database. */
export const GAUGES = {
  dct_database_up: { help: 'Whether the database answers: 1 or 0.', labels: [] },
  dct_chain_cursor_block: { help: 'The last block that was booked.', labels: ['chain'] },
  dct_chain_final_block: { help: 'The newest final block that was seen.', labels: ['chain'] },
  dct_chain_observed_timestamp_seconds: {
    help: 'When the chain was last observed.',
    labels: ['chain'],
  },
  dct_chain_halted: { help: 'Whether the chain is halted: 1 or 0.', labels: ['chain'] },
  dct_payouts_open: { help: 'Payouts that are not paid yet.', labels: ['chain'] },
  dct_payouts_oldest_age_seconds: {
    help: 'The age of the oldest unpaid payout in business time; 0 if there is none.',
    labels: ['chain'],
  },
  dct_jobs_due: { help: 'Jobs that are due.', labels: ['queue'] },
  dct_funds: {
    help: 'The balance of a contract or wallet in whole coins, when it was last read.',
    labels: ['fund', 'asset'],
  },
  dct_funds_read_timestamp_seconds: {
    help: 'When the balance was last read.',
    labels: ['fund'],
  },
  dct_audit_finished_timestamp_seconds: {
    help: 'When the last audit of the ledger ended, in business time.',
    labels: [],
  },
  dct_audit_differences: { help: 'Differences that the last audit found.', labels: [] },
  dct_deliveries_pending: {
    help: 'Outgoing messages that are not sent yet.',
    labels: ['channel'],
  },
  dct_deliveries_failed: {
    help: 'Outgoing messages that were abandoned within the last day.',
    labels: ['channel'],
  },
  dct_alarms_open: { help: 'Open alarms.', labels: ['kind', 'severity'] },
  dct_daily_run_timestamp_seconds: {
    help: 'The start of the business day up to which a running plan has been credited, the oldest of all plans.',
    labels: [],
  },
  dct_backup_timestamp_seconds: {
    help: 'When the last backup of the database was made.',
    labels: [],
  },
  dct_price_timestamp_seconds: { help: 'When the price in force was set.', labels: [] },
} as const satisfies Record<string, { help: string; labels: readonly string[] }>

export type GaugeName = keyof typeof GAUGES
export type Sample = { value: number; labels?: Record<string, string> }
export type Facts = Partial<Record<GaugeName, readonly Sample[]>>
