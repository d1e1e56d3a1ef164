import {
  AcknowledgeAlarmBody,
  AdminLogEntry,
  AdminLogQuery,
  AdminLogReply,
  AlarmsReply,
  DashboardStats,
  UsersQuery,
  UsersReply,
} from '@dct/api-contract/admin'
import { User } from '@dct/api-contract/auth'
import { MessageReply } from '@dct/api-contract/common'
import { UserParams } from '@dct/api-contract/referrals'
import { SUCCESSES } from '@dct/api-contract/successes'
import { formatUnits } from '@dct/money'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { businessDayOf, type Clock } from '../../platform/clock.ts'
import { inBatches } from '../../platform/database/batches.ts'
import type { Db, ReadDb } from '../../platform/database/db.ts'
import { listOrFile, sendCsv } from '../../platform/http/csv.ts'
import { readsOf, userOf } from '../../platform/http/http.ts'
import { cappedFrame } from '../../platform/http/lists.ts'
import { type DescribeUsersDeps, describeUsers, type StepUpGuard } from '../auth/index.ts'
import { earningTotals } from '../earnings/index.ts'
import { countPlans } from '../plans/index.ts'
import { downlineAge } from '../referrals/index.ts'
import { acknowledgeAlarm } from './acknowledge-alarm.ts'
import {
  countLogEntries,
  describeEntry,
  findLogEntries,
  knownActions,
  type LogFilter,
  orderedEntries,
} from './admin-log.queries.ts'
import { readLogFilter } from './log-filter.ts'
import { recordAdminAction } from './record-admin-action.ts'
import { removeUnboundUser } from './remove-user.ts'
import { serviceCounts } from './service-counts.queries.ts'
import { countUsers, findUserIds, orderedUserIds, type UserFilter } from './users.queries.ts'

export type AdminRoutesDeps = DescribeUsersDeps & {
  db: Db
  clock: Clock
  requireStepUp: StepUpGuard
}

type Reading = DescribeUsersDeps & { db: ReadDb }

const config = { role: 'admin' } as const

/** The dashboard, the users, the admin log and the open alarms. */
export const adminRoutes: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, deps) => {
  // The options include the prefix of this plugin; passing it on would apply it twice.
  await app.register(adminLists, { ...deps, prefix: '' })

  const stats = { response: { 200: DashboardStats } }
  app.get('/admin/dashboard-stats', { schema: stats, config }, (request) =>
    readStats({ ...deps, db: readsOf(request) }),
  )

  const removal = { params: UserParams, response: { 200: MessageReply } }
  app.delete('/admin/users/:id', { schema: removal, config }, async (request) => {
    await deps.requireStepUp(userOf(request))
    const act = { target: request.params.id, adminId: userOf(request).id }
    await removeUnboundUser({ ...deps, recordAdminAction }, act)
    return { message: SUCCESSES.USER_REMOVED }
  })

  app.get('/admin/alarms', { schema: { response: { 200: AlarmsReply } }, config }, async () => {
    const alarms = await openAlarms(deps.db)
    return {
      alarms: alarms.map(({ kind, subject, message, raised_at, times }) => ({
        ...{ kind, subject, message, times },
        raised_at: raised_at.toISOString(),
      })),
    }
  })

  const acknowledge = { body: AcknowledgeAlarmBody, response: { 200: MessageReply } }
  app.post('/admin/alarms/acknowledge', { schema: acknowledge, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    await acknowledgeAlarm({ ...deps, recordAdminAction }, { ...request.body, adminId: admin.id })
    return { message: SUCCESSES.ALARM_ACKNOWLEDGED }
  })
}

/** The users and the admin log, each page by page or as a file. */
const adminLists: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, deps) => {
  const today = () => businessDayOf(deps.clock.now())

  const users = listOrFile(UsersQuery, UsersReply)
  app.get('/admin/users', { schema: users, config }, async (request, reply) => {
    const { query } = request
    const reading = { ...deps, db: readsOf(request) }
    const filter = {
      search: query.search?.trim() ?? '',
      hasPercentage: query.filter_reward_percentage === true,
    }
    if (query.format === undefined) return listUsers(reading, filter, query)
    const batches = await allUsers(reading, filter, query)
    return sendCsv(reply, { name: 'users', day: today(), row: User, batches })
  })

  const log = listOrFile(AdminLogQuery, AdminLogReply)
  app.get('/admin/log', { schema: log, config }, async (request, reply) => {
    const { query } = request
    const reads = readsOf(request)
    const filter = await readLogFilter(reads, query)
    if (query.format === undefined) return listLog(reads, filter, query)
    const batches = inBatches(reads, {
      queries: (tx) => [orderedEntries(tx, filter, query.sort_order).compile()],
      describe: (_tx, rows) => rows.map(describeEntry),
    })
    return sendCsv(reply, { name: 'admin-log', day: today(), row: AdminLogEntry, batches })
  })
}

async function readStats({ db, dctDecimals }: Reading): Promise<DashboardStats> {
  const [counts, plans, earnings] = await Promise.all([
    serviceCounts(db),
    countPlans(db),
    earningTotals(db),
  ])
  return {
    total_users: Number(counts.users),
    total_plans: plans,
    total_transactions: Number(earnings.transactions),
    total_earnings: formatUnits(earnings.credited, dctDecimals),
    total_claims: formatUnits(counts.claimed, dctDecimals),
  }
}

async function listUsers(
  deps: Reading,
  filter: UserFilter,
  query: UsersQuery,
): Promise<UsersReply> {
  const counted = await countUsers(deps.db, filter)
  const ids = await findUserIds(deps.db, filter, {
    page: query.page,
    limit: query.limit,
    order: { by: query.sort_by, direction: query.sort_order },
    counted,
  })
  return {
    users: await describeUsers(deps, deps.db, ids),
    ...cappedFrame(query, counted),
    downline_age_seconds: await downlineAge(deps.db),
  }
}

async function allUsers(deps: Reading, filter: UserFilter, query: UsersQuery) {
  const { isCapped } = await countUsers(deps.db, filter)
  const order = { by: query.sort_by, direction: query.sort_order }
  const page = { order, isWide: filter.search === '' || isCapped, offset: 0, limit: null }
  return inBatches(deps.db, {
    queries: (tx) => [orderedUserIds(filter, page).compile(tx)],
    describe: (tx, rows) =>
      describeUsers(
        deps,
        tx,
        rows.map(({ id }) => id),
      ),
  })
}

async function listLog(
  db: ReadDb,
  filter: LogFilter,
  query: AdminLogQuery,
): Promise<AdminLogReply> {
  const [rows, counted, actions] = await Promise.all([
    findLogEntries(db, filter, { ...query, direction: query.sort_order }),
    countLogEntries(db, filter),
    knownActions(db),
  ])
  return {
    entries: rows.map(describeEntry),
    actions,
    ...cappedFrame(query, counted),
  }
}
