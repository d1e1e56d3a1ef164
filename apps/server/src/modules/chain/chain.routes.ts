import { EndHaltBody, HaltQuery, HaltReply } from '@dct/api-contract/chains'
import { MessageReply } from '@dct/api-contract/common'
import { successOf } from '@dct/api-contract/successes'
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Clock } from '../../platform/clock.ts'
import type { RecordAdminAction } from '../../platform/database/admin-actions.ts'
import { invariant } from '../../platform/errors.ts'
import { type SessionUser, userOf } from '../../platform/http/http.ts'
import type { ChainName, ShownEvent } from './chain.tables.ts'
import { endHalt, type HaltDeps, type HaltReview, inspectHalt } from './end-halt.ts'

export type ChainRoutesDeps = {
  clock: Clock
  /** The reader and streams of each watched chain. */
  watched: readonly HaltDeps[]
  recordAdminAction: RecordAdminAction
  /** Refuses a session without a fresh signature, where one is required. */
  requireStepUp(user: SessionUser): Promise<void>
}

const config = { role: 'admin', asksNode: true } as const

/** Lets an admin end a halt: shows what changed on chain, and takes the confirmation of an admin who has seen it. */
export const chainRoutes: FastifyPluginAsyncTypebox<ChainRoutesDeps> = async (app, deps) => {
  const watchedOf = (chain: ChainName) => {
    const watched = deps.watched.find((one) => one.chain === chain)
    invariant(watched !== undefined, `${chain} is watched`)
    return watched
  }

  const review = { querystring: HaltQuery, response: { 200: HaltReply } }
  app.get('/admin/chain-halt', { schema: review, config }, async ({ query }) =>
    describeReview(query.chain, await inspectHalt(watchedOf(query.chain))),
  )

  const end = { body: EndHaltBody, response: { 200: MessageReply } }
  app.post('/admin/chain-halt/end', { schema: end, config }, async (request) => {
    const admin = userOf(request)
    await deps.requireStepUp(admin)
    const { chain, digest } = request.body
    const at = deps.clock.now()
    await endHalt({ ...watchedOf(chain), clock: deps.clock }, digest, (tx, changes, takenBack) =>
      deps.recordAdminAction(tx, {
        ...{ adminId: admin.id, action: 'chain.end_halt', subject: chain, at },
        before: { block: changes.to },
        after: { hash: changes.hash, digest, taken_back: takenBack.map(nameOf).join(', ') },
      }),
    )
    return { message: successOf('CHAIN_RESUMED', { chain }) }
  })
}

function describeReview(chain: ChainName, { halt, changes, digest }: HaltReview): HaltReply {
  return {
    chain,
    block: Number(halt.blockNumber),
    expected_hash: halt.expectedHash,
    found_hash: halt.foundHash,
    halted_at: halt.haltedAt.toISOString(),
    present_hash: changes.hash,
    read_from: Number(changes.from),
    read_to: Number(changes.to),
    undone: changes.undone.map(describeEvent),
    added: changes.added.map(describeEvent),
    changed: changes.changed.map(describeEvent),
    moved: changes.moved,
    digest,
  }
}

/** An event in the log of admins' actions. */
function nameOf({ name, txHash, logIndex }: ShownEvent): string {
  return `${name} ${txHash}:${logIndex}`
}

function describeEvent({ name, txHash, logIndex, block, args }: ShownEvent) {
  return { name, tx_hash: txHash, log_index: logIndex, block: Number(block), args: { ...args } }
}
