import type { Channel } from './channel.ts'
import { createMailer } from './mailer.ts'
import { messageText, type Sender } from './message-text.ts'

export type EmailDeps = {
  /** smtp(s)://user:password@host:port */
  url: string
  from: string
  to: string
  sender: Sender
}

/**
 * Sends alarms by e-mail to one receiver. The Message-ID header contains the message's id, so that a repeat is
 * recognised.
 */
export function createEmailChannel({ url, from, to, sender }: EmailDeps): Channel {
  const mailer = createMailer(url)
  return {
    ...{ kind: 'email', receiver: to, isForAlarms: true, isForEvents: false },
    async probe() {
      await mailer.verify()
    },
    async send(message) {
      const { title, text } = messageText(message, sender)
      await mailer.send({
        from,
        to,
        subject: title,
        text,
        messageId: `<${message.id}@${new URL(sender.origin).hostname}>`,
        headers: { 'Auto-Submitted': 'auto-generated' },
      })
    },
  }
}
