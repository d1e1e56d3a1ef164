/** `critical`: somebody must act immediately, at any hour. `warning`: somebody must look into it soon. */
export const SEVERITIES = ['critical', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

type AlarmRule = {
  severity: Severity
  /** What to do: a page in docs/runbooks/. */
  runbook: string
  /** It reports a single occurrence: it is not repeated, and an admin ends it by acknowledging it. */
  isOneTime?: true
}

/** Every kind of alarm. Kinds are stable: receivers of alarms key on them. */
export const ALARMS = {
  audit: { severity: 'critical', runbook: 'books-differ' },
  backup: { severity: 'warning', runbook: 'restore' },
  chain_halt: { severity: 'critical', runbook: 'halt' },
  clock_skew: { severity: 'critical', runbook: 'nodes' },
  'database.down': { severity: 'critical', runbook: 'failover' },
  'database.worker': { severity: 'critical', runbook: 'failover' },
  event_changed: { severity: 'critical', runbook: 'halt', isOneTime: true },
  event_missed: { severity: 'warning', runbook: 'nodes', isOneTime: true },
  events_incomplete: { severity: 'critical', runbook: 'nodes', isOneTime: true },
  event_undone: { severity: 'critical', runbook: 'halt' },
  'funds.low': { severity: 'warning', runbook: 'empty-wallet' },
  'loop.stuck': { severity: 'critical', runbook: 'failover' },
  node_differs: { severity: 'warning', runbook: 'nodes' },
  node_down: { severity: 'warning', runbook: 'nodes' },
  node_lags: { severity: 'warning', runbook: 'nodes' },
  node_omits: { severity: 'warning', runbook: 'nodes' },
  node_refuses: { severity: 'warning', runbook: 'nodes' },
  node_unfit: { severity: 'warning', runbook: 'nodes' },
  node_wrong_network: { severity: 'critical', runbook: 'nodes' },
  nodes_disagree: { severity: 'warning', runbook: 'nodes' },
  'messages.failing': { severity: 'warning', runbook: 'messages' },
  'payment.missing': { severity: 'critical', runbook: 'nodes' },
  'payout.late': { severity: 'critical', runbook: 'stuck-payout' },
  'payout.stuck': { severity: 'warning', runbook: 'stuck-payout' },
  'payout.waiting': { severity: 'warning', runbook: 'empty-wallet' },
  plan_adopted: { severity: 'warning', runbook: 'stolen-operator-key', isOneTime: true },
  'price.bounded': { severity: 'warning', runbook: 'wrong-price' },
  'price.source': { severity: 'warning', runbook: 'wrong-price' },
  'replica.unused': { severity: 'warning', runbook: 'replica' },
} as const satisfies Record<string, AlarmRule>

export type AlarmKind = keyof typeof ALARMS

/** The rule of a kind; an earlier version may have raised one that no longer exists. */
export function alarmRule(kind: string): AlarmRule {
  return kind in ALARMS ? ALARMS[kind as AlarmKind] : { severity: 'warning', runbook: 'README' }
}
