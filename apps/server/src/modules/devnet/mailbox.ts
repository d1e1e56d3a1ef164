import type { Clock } from '../../platform/clock.ts'
import type { Mailer } from '../../platform/outbox/channels/mailer.ts'

/** An e-mail that a mail server would have delivered. */
export type KeptMail = {
  id: string
  to: string
  subject: string
  text: string
  headers: Readonly<Record<string, string>>
  at: string
}

/** Receives e-mails in place of a mail server and keeps the newest of them. A restart empties it. */
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
