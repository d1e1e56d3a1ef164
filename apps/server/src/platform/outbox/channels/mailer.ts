import nodemailer, { type SendMailOptions } from 'nodemailer'

const PATIENCE_MS = 10_000
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

export type Mail = SendMailOptions
/** @throws what nodemailer throws */
export type Mailer = {
  send(mail: Mail): Promise<unknown>
  /** Signs in, and sends nothing. */
  verify(): Promise<unknown>
}

/** A mail server by its address, smtp(s)://user:password@host:port. Encrypted, except on the same host. */
export function createMailer(url: string): Mailer {
  const transport = nodemailer.createTransport({
    url,
    requireTLS: !LOOPBACK.includes(new URL(url).hostname),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return { send: (mail) => transport.sendMail(mail), verify: () => transport.verify() }
}
