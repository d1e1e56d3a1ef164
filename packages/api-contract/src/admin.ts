import { type Static, Type } from 'typebox'
import { User } from './auth.ts'
import {
  AmountText,
  DateRange,
  ListFrame,
  ListQuery,
  Nullable,
  Reason,
  Strict,
  Timestamp,
} from './common.ts'
import { LIST_ORDERS } from './lists.ts'

/** `total_earnings`: DCT credited as rewards. `total_claims`: DCT claimed. */
export const DashboardStats = Type.Object({
  total_users: Type.Integer(),
  total_plans: Type.Integer(),
  total_transactions: Type.Integer(),
  total_earnings: AmountText,
  total_claims: AmountText,
})
export type DashboardStats = Static<typeof DashboardStats>

/** `search`: the beginning of a Tron address, an e-mail address or a referral code. */
export const UsersQuery = ListQuery(LIST_ORDERS.users, {
  filter_reward_percentage: Type.Optional(
    Type.Boolean({ description: 'Only users that have a reward percentage.' }),
  ),
})
export type UsersQuery = Static<typeof UsersQuery>
export const UsersReply = Type.Object({
  users: Type.Array(User),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
  downline_age_seconds: Type.Integer({
    description:
      'Seconds since the oldest change not yet included in the downline columns; 0 when all are included.',
  }),
})
export type UsersReply = Static<typeof UsersReply>

const Facts = Nullable(Type.Record(Type.String(), Type.Unknown()))
export const AdminLogEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  admin_tron_address: Type.String(),
  action: Type.String({ examples: ['price.set'] }),
  subject: Type.String({ examples: ['PLAN-360'] }),
  before: Facts,
  after: Facts,
  ip: Nullable(Type.String()),
})
export type AdminLogEntry = Static<typeof AdminLogEntry>
/** `search`: the beginning of the subject, or the admin's Tron address: its beginning, its end or its shortened form. */
export const AdminLogQuery = ListQuery(LIST_ORDERS.adminLog, {
  ...DateRange,
  action: Type.Optional(Type.String({ maxLength: 100 })),
})
export type AdminLogQuery = Static<typeof AdminLogQuery>
export const AdminLogReply = Type.Object({
  entries: Type.Array(AdminLogEntry),
  actions: Type.Array(Type.String(), {
    description: 'The names of all actions that ever occurred.',
  }),
  ...ListFrame,
  is_total_capped: Type.Boolean({
    description: 'True when there are more rows than the total states.',
  }),
})
export type AdminLogReply = Static<typeof AdminLogReply>

export const Alarm = Type.Object({
  kind: Type.String(),
  subject: Type.String(),
  message: Type.String(),
  raised_at: Timestamp,
  times: Type.Integer({
    description: 'How often its cause has occurred; 1 unless it comes and goes.',
  }),
})
export type Alarm = Static<typeof Alarm>
export const AcknowledgeAlarmBody = Strict({
  kind: Type.String({ maxLength: 100 }),
  subject: Type.String({ maxLength: 300 }),
  reason: Reason,
})
export type AcknowledgeAlarmBody = Static<typeof AcknowledgeAlarmBody>
/** The open alarms, oldest first. */
export const AlarmsReply = Type.Object({ alarms: Type.Array(Alarm) })
export type AlarmsReply = Static<typeof AlarmsReply>
