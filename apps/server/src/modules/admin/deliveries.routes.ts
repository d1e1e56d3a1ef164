import { MessageReply } from '@dct/api-contract/common'
import { DeliveriesReply, type Delivery } from '@dct/api-contract/deliveries'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Clock } from '../../platform/clock.ts'
import { type Db, inTransaction } from '../../platform/database/db.ts'
import { userOf } from '../../platform/http/http.ts'
import { subjectOf } from '../../platform/outbox/message.ts'
import {
  type DeliveryRecord,
  lastTest,
  newestDeliveries,
} from '../../platform/outbox/read-deliveries.ts'
import { writeTest } from '../../platform/outbox/write-messages.ts'
import { recordAdminAction } from './record-admin-action.ts'

const PATH = '/admin/deliveries'
const config = { role: 'admin' } as const

export type DeliveriesRoutesDeps = { db: Db; clock: Clock }

/** The deliveries of alarms and business events, and test messages. */
export const deliveriesRoutes: FastifyPluginAsyncTypebox<DeliveriesRoutesDeps> = async (
  app,
  { db, clock },
) => {
  const schema = { response: { 200: DeliveriesReply } }
  app.get(PATH, { schema, config }, async () => {
    const [deliveries, test] = await Promise.all([newestDeliveries(db), lastTest(db)])
    return {
      deliveries: deliveries.map(describe),
      test:
        test === undefined
          ? null
          : {
              asked_at: test.at.toISOString(),
              is_dispatched: test.isDispatched,
              deliveries: test.deliveries.map(describe),
            },
    }
  })

  const ask = { response: { 200: MessageReply } }
  app.post(`${PATH}/test`, { schema: ask, config }, async (request) => {
    const at = clock.now()
    await inTransaction(db, async (tx) => {
      await writeTest(tx, at)
      await recordAdminAction(tx, {
        ...{ adminId: userOf(request).id, action: 'messages.test', subject: 'channels' },
        ...{ before: null, after: null, at },
      })
    })
    return { message: SUCCESSES.TEST_MESSAGE_SENT }
  })
}

function describe(delivery: DeliveryRecord): Delivery {
  const { id, type, severity, channel, receiver, state, attempts, last_error } = delivery
  return {
    ...{ id: `${id}`, type, severity, subject: subjectOf(delivery), channel, receiver, state },
    ...{ attempts, last_error },
    written_at: delivery.at.toISOString(),
    due_at: state === 'pending' ? delivery.due_at.toISOString() : null,
    ended_at: delivery.ended_at?.toISOString() ?? null,
  }
}
