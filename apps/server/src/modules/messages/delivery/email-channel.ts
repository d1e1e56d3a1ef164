import { HOLDER_MESSAGES, type MessageKind } from '@dct/api-contract/messages'
import type { PersonalChannel } from '../../../platform/outbox/channels/channel.ts'
import type { Mailer } from '../../../platform/outbox/channels/mailer.ts'
import { issueToken } from '../tokens.ts'
import { createHolderChannel, type HolderChannelDeps, type Letter } from './holder-channel.ts'
import { messageText, SETTINGS_PAGE } from './render.ts'

const AT_ONCE = 5

/** Sends holders' messages by e-mail, as plain text. The Message-ID contains the message's id, so it never changes. */
export function createHolderEmailChannel(
  deps: HolderChannelDeps & { mailer: Pick<Mailer, 'send'>; from: string },
): PersonalChannel {
  const { brand, origin } = deps.site
  return createHolderChannel(deps, {
    ...{ kind: 'holder_email', atOnce: AT_ONCE },
    async send(letter) {
      const { text, headers } = await writeMail(deps, letter)
      await deps.mailer.send({
        from: { name: brand, address: deps.from },
        to: letter.to.address,
        subject: `${brand}: ${letter.title}`,
        text,
        messageId: `<${letter.id}@${new URL(origin).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      })
    },
  })
}

async function writeMail(deps: HolderChannelDeps, letter: Letter) {
  const { kind, language, body } = letter
  const { origin } = deps.site
  const say = (key: Parameters<typeof messageText>[1], values = {}) =>
    messageText(language, key, values)
  if (kind === 'confirm_email') {
    const link = `${origin}/confirm-email?token=${await tokenOf(deps, letter, null)}`
    return { text: `${body}\n\n${link}\n`, headers: {} }
  }
  const paragraphs = [body, say('open', { link: `${origin}${letter.url}` })]
  const footer = [
    say('whyEmail', { site: origin }),
    say('settings', { link: `${origin}${SETTINGS_PAGE}` }),
  ]
  const headers: Record<string, string> = {}
  if (kind !== 'test' && !HOLDER_MESSAGES[kind].isAboutMoney) {
    const token = await tokenOf(deps, letter, kind)
    footer.push(say('unsubscribe', { link: `${origin}/unsubscribe?token=${token}` }))
    headers['List-Unsubscribe'] = `<${origin}/api/messages/unsubscribe?token=${token}>`
    headers['List-Unsubscribe-Post'] = 'List-Unsubscribe=One-Click'
  }
  return { text: `${[...paragraphs, '--', ...footer].join('\n\n')}\n`, headers }
}

/** A token for the link in this mail. It is created only on sending, because just its hash is stored. */
async function tokenOf(
  { db, realClock }: HolderChannelDeps,
  { to }: Letter,
  kind: MessageKind | null,
): Promise<string> {
  const { token } = await issueToken(
    db,
    {
      purpose: kind === null ? 'confirm_email' : 'unsubscribe',
      ...{ user_id: to.user_id, channel_id: to.id, message_kind: kind },
    },
    realClock.now(),
  )
  return token
}
