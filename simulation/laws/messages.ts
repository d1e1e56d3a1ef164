/** A holder is told of what happens once for each event and channel, and not at all where nobody receives it. */
import type { Box, Stage } from '../story/stage.ts'
import type { Arrived } from '../world/inboxes.ts'

/** Texts of which each is about one event only: the fee of a claim, a stake, a claim of a bonus. */
const UNIQUE = /Your payment of|your capital of|of your referral claim/

/** At any moment. */
export function judgeMessages(stage: Stage): void {
  const answered = new Map<string, number>()
  const events = new Map<string, string>()
  for (const { channel, to, id, text, isAnswered } of stage.world.inboxes.arrived) {
    const message = `${channel} ${to} ${id}`
    if (isAnswered) answered.set(message, (answered.get(message) ?? 0) + 1)
    const words = wordsOf(text)
    const event = `${channel} ${to} ${words}`
    const known = events.get(event)
    events.set(event, known ?? id)
    if (UNIQUE.test(words) && known !== undefined && known !== id)
      stage.accuse('a holder is told of an event once', `${channel} ${to}`, words)
  }
  // What a killed process had sent and not yet recorded is sent again, as is what a restored database lost: with the
  // same id, by which inboxes drop it.
  if (stage.world.mayRepeat || stage.restores > 0) return
  for (const [message, times] of answered)
    if (times > 1)
      stage.accuse('a holder is told of an event once', message, `${message} came ${times} times`)
}

/** Without the links, which differ in each copy. */
function wordsOf(text: string): string {
  return text.replaceAll(/https?:\S+/g, '').trim()
}

/** At rest: what was to be told has been told, and whoever refused for good is shown so and asked no more. */
export async function judgeTold(stage: Stage): Promise<void> {
  judgeMessages(stage)
  const { inboxes } = stage.world
  for (const box of stage.boxes) {
    const refusals = inboxes.gone.get(box.to) ?? 0
    if (refusals > 0) await judgeEnded(stage, box, refusals)
    if (box.isTroubled || stage.restores > 0) continue
    const paid = stage.paidFees.filter((one) => one.holder === box.holder && one.at > box.from)
    for (const { code } of paid) {
      if (inboxes.arrived.some((one) => isOf(box, one) && isFeeSeen(one, code))) {
        stage.coverage.reach('state', `told by ${box.channel} of a fee`)
        continue
      }
      stage.accuse(
        'a holder is told what has happened',
        `${box.channel} ${code}`,
        `the fee of ${code}`,
      )
    }
  }
}

const isOf = (box: Box, { channel, to, isAnswered }: Arrived) =>
  isAnswered && channel === box.channel && to === box.to

const isFeeSeen = ({ text }: Arrived, code: string) =>
  text.replaceAll(/\s+/g, ' ').includes(`for claim ${code} in`)

async function judgeEnded(stage: Stage, box: Box, refusals: number): Promise<void> {
  if (refusals > 1 && !stage.world.mayRepeat && stage.restores === 0)
    stage.accuse('whoever refuses for good is asked no more', box.to, `${refusals} times`)
  const holder = stage.holders.find(({ tronAddress }) => tronAddress === box.holder)
  if (holder === undefined || stage.restores > 0) return
  const { body } = await stage.api.call(holder, 'GET', '/user/messages')
  const { email, push } = body as {
    email: { address: string; state: string } | null
    push: { endpoint: string; state: string }[]
  }
  const state =
    box.channel === 'email' ? email?.state : push.find(({ endpoint }) => endpoint === box.to)?.state
  stage.coverage.reach('state', `${box.channel} ended`)
  if (state !== 'ended')
    stage.accuse('a holder sees that a channel has ended', box.to, `${box.to} is ${state}`)
}
