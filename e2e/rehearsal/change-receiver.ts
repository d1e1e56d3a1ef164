import { type ChaosWorld, startAgain } from '../chaos/chaos-world.ts'
import { newKey } from './rotate-keys.ts'
import { claimedBy, subjectOf } from './subject.ts'

/** Changes the fee receiver: fees opened before the change are paid to the old one, later fees to the new one. */
export async function changeReceiver(world: ChaosWorld): Promise<void> {
  const { infrastructure, server } = world
  const subject = subjectOf(world)
  const before = await claimedBy(world, subject, { plan: 'PLAN-720', kind: 'FULL' })
  await server.kill()
  const { bscAddress } = newKey()
  infrastructure.serverEnv.BSC_RECEIVER = bscAddress
  infrastructure.feeReceivers.push(bscAddress.toLowerCase())
  await startAgain(world)
  const after = await claimedBy(world, subject, { plan: 'PLAN-360', kind: 'FULL' })
  const receivers = [before, after].map((fee) => fee.receiver_address.toLowerCase())
  if (receivers.join() !== infrastructure.feeReceivers.join())
    throw new Error(`the fees must be paid to ${receivers.join(' and ')}`)
  await subject.pay(before, { submitsHash: false })
  await subject.pay(after, { submitsHash: true })
}
