/** Holders choose how they are told what happens, and what carries the messages fails. */
import type { Stage } from '../story/stage.ts'
import { MAIL_FAULTS, PUSH_FAULTS } from '../world/inboxes.ts'
import type { Wallet } from '../world/wallet.ts'
import { choose, type Play } from './act.ts'
import { shown } from './shown.ts'

const PATH = '/user/messages'
const CONFIRM = /confirm-email\?token=([\w-]+)/

const isAboutMessages = (loop: string) => loop === 'outbox' || loop === 'holder messages'

/** A holder asks for messages by e-mail or in the browser. */
export const askForMessages: Play = async (stage, [who, which]) => {
  // Several are told at the same time, in no certain order: a killed process would not die at the same point again.
  const [first] = stage.boxes
  if (first !== undefined && stage.hasDeaths) return
  const holder = stage.holder(who)
  if (!stage.codes.has(holder.tronAddress)) return
  await (which % 2 === 0 ? confirmEmail(stage, holder) : subscribe(stage, holder))
}

function hasBox(stage: Stage, holder: Wallet, channel: 'email' | 'push'): boolean {
  return stage.boxes.some((one) => one.holder === holder.tronAddress && one.channel === channel)
}

/** An address is confirmed by the link in the first mail, as soon as that arrives. */
async function confirmEmail(stage: Stage, holder: Wallet): Promise<void> {
  if (hasBox(stage, holder, 'email')) return
  const { api, world } = stage
  const to = `${holder.name.replaceAll(' ', '-')}@mail.sim`
  const asked = await api.call(holder, 'PUT', `${PATH}/email`, { address: to, language: 'en' })
  stage.answered('set e-mail', asked)
  await world.turn(isAboutMessages)
  const mail = world.inboxes.arrived.findLast((one) => one.to === to && CONFIRM.test(one.text))
  const token = CONFIRM.exec(mail?.text ?? '')?.[1]
  stage.say(`${holder.name} asks for e-mails${token === undefined ? ', and none comes' : ''}`)
  if (token === undefined) return
  const confirmed = await api.ask('POST', '/messages/confirm-email', { token })
  stage.answered('confirm e-mail', confirmed)
  if (confirmed.status !== 200) return
  open(stage, holder, 'email', to)
}

async function subscribe(stage: Stage, holder: Wallet): Promise<void> {
  if (hasBox(stage, holder, 'push')) return
  const { endpoint, keys } = stage.world.inboxes.subscribe(holder.name)
  const body = { endpoint, keys, language: 'en' }
  const reply = await stage.api.call(holder, 'POST', `${PATH}/push`, body)
  stage.answered('subscribe', reply)
  stage.say(`${holder.name} asks for messages in the browser: ${shown(reply)}`)
  if (reply.status === 200) open(stage, holder, 'push', endpoint)
}

function open(stage: Stage, holder: Wallet, channel: 'email' | 'push', to: string): void {
  const { world } = stage
  const from = world.now
  stage.boxes.push({ holder: holder.tronAddress, channel, to, from, isTroubled: false })
  // A holder sees at once that it works.
  stage.coverage.reach('state', `messages by ${channel}`)
}

/** The mail server or the push service fails, or one receiver is gone for good. */
export const messagesFail: Play = async (stage, [what, which, who]) => {
  const { inboxes } = stage.world
  if (stage.boxes.length === 0) return
  const box = choose(stage.boxes, who)
  const { to, channel } = box
  if (what % 4 === 0) {
    inboxes.gone.set(to, inboxes.gone.get(to) ?? 0)
    box.isTroubled = true
    stage.coverage.reach('fault', `${channel} receiver gone`)
    stage.say(`${to} does not exist any more`)
    return
  }
  if (channel === 'email') inboxes.mailFault = choose(MAIL_FAULTS, which)
  else inboxes.pushFault = choose(PUSH_FAULTS, which)
  noteTrouble(stage)
  const fault = channel === 'email' ? inboxes.mailFault : inboxes.pushFault
  stage.coverage.reach('fault', `${channel} ${fault}`)
  stage.say(`what carries messages by ${channel} is ${fault}`)
}

/** Whose own push service fails may be given up after a day; mail that the server hinders after a week. */
export function noteTrouble({ boxes, world }: Stage): void {
  const { inboxes } = world
  for (const box of boxes)
    if (box.channel === 'push' && inboxes.pushFault !== undefined) box.isTroubled = true
  if (inboxes.mailFault !== undefined) world.mailFailsSince ??= world.now
}

export const messagesFlow: Play = async (stage) => {
  if (!endMessageFaults(stage)) return
  stage.say('messages can be carried again')
}

const LONG_MS = 5 * 86_400_000

/** @returns whether there was any */
export function endMessageFaults({ boxes, world }: Stage): boolean {
  const { inboxes } = world
  const had = inboxes.mailFault !== undefined || inboxes.pushFault !== undefined
  if (world.mailFailsSince !== undefined && world.now - world.mailFailsSince > LONG_MS)
    for (const box of boxes) if (box.channel === 'email') box.isTroubled = true
  world.mailFailsSince = undefined
  inboxes.mailFault = undefined
  inboxes.pushFault = undefined
  return had
}
