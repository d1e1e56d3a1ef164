import { MessageReply } from '@dct/api-contract/common'
import { SUCCESSES } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Db } from '../../platform/database/db.ts'
import { userOf } from '../../platform/http/http.ts'
import { eraseEmail } from '../auth/index.ts'
import { closeAccount } from './close-account.ts'

/** What holders can do with everything that is stored about them. */
export const accountRoutes: FastifyPluginAsyncTypebox<{ db: Db }> = async (app, { db }) => {
  const schema = { response: { 200: MessageReply } }
  app.delete('/user/account', { schema, config: { role: 'user' } }, async (request) => {
    const { id: userId, address } = userOf(request)
    await closeAccount(db, { userId, address })
    return { message: SUCCESSES.ACCOUNT_CLOSED }
  })
  app.delete('/user/registered-email', { schema, config: { role: 'user' } }, async (request) => {
    await eraseEmail(db, userOf(request).id)
    return { message: SUCCESSES.EMAIL_REMOVED }
  })
}
