import { NodeUnavailable, RpcRefusal } from '../nodes/failures.ts'
import type { NodeGroup } from '../nodes/node-group.ts'

/** A node's answer to a broadcast. Proves nothing: only the final chain shows the transaction's result. */
export type BroadcastAnswer = { isAccepted: boolean; detail: string }

/** Sends to one node. Does not throw when it refuses or does not answer. @param send throws in that case */
export async function broadcastWith(send: () => Promise<void>): Promise<BroadcastAnswer> {
  try {
    await send()
    return { isAccepted: true, detail: 'accepted' }
  } catch (error) {
    if (!(error instanceof NodeUnavailable)) throw error
    const detail = error instanceof RpcRefusal ? error.reason : error.message
    return { isAccepted: false, detail }
  }
}

type Sending = { broadcast(raw: Uint8Array): Promise<BroadcastAnswer> }

/** Sends to every node of the right network, also to those that are behind. */
export async function broadcastToAll(
  { nodes }: NodeGroup<Sending>,
  raw: Uint8Array,
): Promise<BroadcastAnswer> {
  const asked = nodes.filter(({ standing }) => !standing.isOnWrongNetwork())
  const answers = await Promise.all(asked.map(({ client }) => client.broadcast(raw)))
  const none: BroadcastAnswer = { isAccepted: false, detail: 'no node can be used' }
  return answers.find((answer) => answer.isAccepted) ?? answers[0] ?? none
}
