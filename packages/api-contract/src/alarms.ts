/** `critical`: somebody must act at any hour. `warning`: somebody must look soon. */
export const SEVERITIES = ['critical', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

/** Every kind of alarm and how severe it is. Kinds are stable: receivers of alarms key on them. */
export const ALARMS = {
  audit: 'critical',
  backup: 'warning',
  chain_halt: 'critical',
  clock_skew: 'critical',
  event_changed: 'critical',
  event_missed: 'warning',
  event_undone: 'critical',
  'funds.low': 'warning',
  nodes_disagree: 'warning',
  'notifications.failing': 'warning',
  'payment.unknown': 'critical',
  'payout.held': 'critical',
  'payout.late': 'critical',
  'payout.stuck': 'warning',
  'payout.waiting': 'warning',
  plan_adopted: 'warning',
  restored: 'critical',
  'sender.held': 'critical',
} as const satisfies Record<string, Severity>

export type AlarmKind = keyof typeof ALARMS
