import type { SendMailOptions } from 'nodemailer'

const PATIENCE_MS = 10_000
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

export type Mail = SendMailOptions
/** @throws what nodemailer throws */
export type Mailer = {
  send(mail: Mail): Promise<unknown>
  /** Signs in without sending anything. */
  verify(): Promise<unknown>
}

/** A mail server by its address, smtp(s)://user:password@host:port. Encrypted, except on the same host. */
export function createMailer(url: string): Mailer {
  let opened: ReturnType<typeof openTransport> | undefined
  const transport = () => {
    opened ??= openTransport(url)
    return opened
  }
  return {
    send: async (mail) => (await transport()).sendMail(mail),
    verify: async () => (await transport()).verify(),
  }
}

/** Loads the library with the first mail, because most processes send none. */
async function openTransport(url: string) {
  const { default: nodemailer } = await import('nodemailer')
  return nodemailer.createTransport({
    url,
    requireTLS: !LOOPBACK.includes(new URL(url).hostname),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}
