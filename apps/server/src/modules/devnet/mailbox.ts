import type { Clock } from '../../platform/clock.ts'
import type { Mailer } from '../../platform/outbox/channels/mailer.ts'

/** A mail that a mail server would have sent on. */
export type KeptMail = {
  id: string
  to: string
  subject: string
  text: string
  headers: Readonly<Record<string, string>>
  at: string
}

/** Takes mails in place of a mail server, and shows the newest to whoever looks. A restart empties it. */
export type Mailbox = Pick<Mailer, 'send'> & { newest(): readonly KeptMail[] }

const MOST = 200

export function createMailbox(realClock: Clock): Mailbox {
  const mails: KeptMail[] = []
  return {
    async send({ messageId, to, subject, text, headers }) {
      mails.unshift({
        id: messageId ?? '',
        to: `${to}`,
        subject: subject ?? '',
        text: `${text}`,
        headers: { ...(headers as Record<string, string>) },
        at: realClock.now().toISOString(),
      })
      mails.splice(MOST)
    },
    newest: () => mails,
  }
}
