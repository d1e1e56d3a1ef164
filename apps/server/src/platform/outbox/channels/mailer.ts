import { Socket } from 'node:net'
import type { SendMailOptions } from 'nodemailer'
import { DeliveryError } from './channel.ts'
import { blameOf, enhancedCodeOf, type MailBlame } from './mail-reply.ts'

const PATIENCE_MS = 10_000
/** Of a whole conversation, however steadily the server goes on talking. */
const WHOLE_MS = 20_000
const LOOPBACK = ['127.0.0.1', '[::1]', 'localhost']

export type Mail = SendMailOptions & { from: string | { name: string; address: string } }
/** @throws MailRefused */
export type Mailer = {
  send(mail: Mail): Promise<unknown>
  /** Signs in without sending anything. */
  verify(): Promise<unknown>
}

/** A mail was not accepted. The message does not contain the receiver's address, which servers repeat in replies. */
export class MailRefused extends DeliveryError {
  override name = 'MailRefused'
  /** Empty where the server sent none. */
  readonly enhancedCode: string

  constructor(message: string, { blame, text }: { blame: MailBlame; text: string }) {
    super(message, {
      isGone: blame === 'no receiver',
      isPersonal: blame !== 'sender',
      isUnreached: text === '',
    })
    this.enhancedCode = enhancedCodeOf(text)
  }
}

/** A mail server by its address, smtp(s)://user:password@host:port. Encrypted, except on the same host. */
export function createMailer(url: string): Mailer {
  const talk = async (from: string, conversation: (server: Transport) => Promise<unknown>) => {
    const socket = new Socket()
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => {
      late.reject({ code: 'ETIMEDOUT' })
      socket.destroy()
    }, WHOLE_MS)
    try {
      return await Promise.race([conversation(await openTransport(url, socket)), late.promise])
    } catch (error) {
      throw asRefusal(error, from)
    } finally {
      clearTimeout(timer)
      socket.destroy()
    }
  }
  return {
    send: (mail) =>
      talk(typeof mail.from === 'string' ? mail.from : mail.from.address, (server) =>
        server.sendMail(mail),
      ),
    verify: () => talk('', (server) => server.verify()),
  }
}

type Transport = Awaited<ReturnType<typeof openTransport>>

/** Loads the library with the first mail, because most processes send none. */
async function openTransport(url: string, socket: Socket) {
  const { default: nodemailer } = await import('nodemailer')
  return nodemailer.createTransport({
    ...{ url, socket },
    requireTLS: !LOOPBACK.includes(new URL(url).hostname),
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

type SmtpError = {
  responseCode?: number
  response?: string
  command?: string
  code?: string
  /** The code of the system, such as ECONNREFUSED, where `code` is the library's own. */
  originalCode?: string
}

function asRefusal(error: unknown, from: string): MailRefused {
  const { responseCode, response: text = '', command = '', code, originalCode } = error as SmtpError
  if (responseCode === undefined) {
    const why = originalCode ?? code ?? (error as Error).name
    return new MailRefused(`The mail server failed: ${why}.`, { blame: 'sender', text: '' })
  }
  const message = `The mail server answered ${responseCode} ${enhancedCodeOf(text)}`.trimEnd()
  return new MailRefused(`${message} to ${command}.`, {
    ...{ blame: blameOf({ command, text, from }), text },
  })
}
