/** `critical`: somebody must act at any hour. `warning`: somebody must look soon. */
export const SEVERITIES = ['critical', 'warning'] as const
export type Severity = (typeof SEVERITIES)[number]

type AlarmRule = {
  severity: Severity
  /** It tells of something that happened once and that nothing ends, so it is not repeated. */
  isNews?: true
}

/** Every kind of alarm. Kinds are stable: receivers of alarms key on them. */
export const ALARMS = {
  audit: { severity: 'critical' },
  backup: { severity: 'warning' },
  chain_halt: { severity: 'critical' },
  clock_skew: { severity: 'critical' },
  event_changed: { severity: 'critical', isNews: true },
  event_missed: { severity: 'warning', isNews: true },
  event_undone: { severity: 'critical' },
  'funds.low': { severity: 'warning' },
  nodes_disagree: { severity: 'warning' },
  'notifications.failing': { severity: 'warning' },
  'payment.unknown': { severity: 'critical' },
  'payout.held': { severity: 'critical' },
  'payout.late': { severity: 'critical' },
  'payout.stuck': { severity: 'warning' },
  'payout.waiting': { severity: 'warning' },
  plan_adopted: { severity: 'warning', isNews: true },
  restored: { severity: 'critical' },
  'sender.held': { severity: 'critical' },
} as const satisfies Record<string, AlarmRule>

export type AlarmKind = keyof typeof ALARMS

/** The rule of a kind; an earlier version may have raised one that no longer exists. */
export function alarmRule(kind: string): AlarmRule {
  return kind in ALARMS ? ALARMS[kind as AlarmKind] : { severity: 'warning' }
}
