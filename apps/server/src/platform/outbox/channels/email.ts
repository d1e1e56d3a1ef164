import nodemailer from 'nodemailer'
import type { Channel } from './channel.ts'
import { messageText, type Sender } from './message-text.ts'

const PATIENCE_MS = 10_000
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

export type EmailDeps = {
  /** smtp(s)://user:password@host:port */
  url: string
  from: string
  to: string
  sender: Sender
}

/**
 * Sends alarms by e-mail, one for each receiver. Encrypted, except to a server on the same host. The message id is that
 * of the message, so that a repeated one is recognised.
 */
export function createEmailChannel({ url, from, to, sender }: EmailDeps): Channel {
  const transport = nodemailer.createTransport({
    url,
    requireTLS: !LOOPBACK.includes(new URL(url).hostname),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    ...{ kind: 'email', receiver: to, isForAlarms: true, isForEvents: false, isHeard: true },
    async probe() {
      await transport.verify()
    },
    async send(message) {
      const { title, text } = messageText(message, sender)
      await transport.sendMail({
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
