/** A mail server in memory: the service's own client speaks SMTP with it, over a socket that leads nowhere else. */
import net from 'node:net'
import { type Inboxes, MAIL_SERVER } from './inboxes.ts'
import { currentProcess } from './processes.ts'

/** The server of the world that is played now. */
let inboxes: Inboxes | undefined

export function setMailServer(of: Inboxes): void {
  inboxes = of
}

type Connect = (this: net.Socket, ...args: unknown[]) => net.Socket

/** From here on, connections of this process to the mail server lead to the simulated one. */
export function openMailServer(): void {
  const prototype = net.Socket.prototype as unknown as { connect: Connect }
  const { connect } = prototype
  prototype.connect = function (...args) {
    const [port, host, connected] = args
    if (Number(port) !== MAIL_SERVER.port || host !== MAIL_SERVER.host || !inboxes)
      return connect.apply(this, args)
    converse(this, inboxes, connected as () => void)
    return this
  }
}

/** What is said before a mail's text, in order. */
type Letter = { to: string; lines: string[] | undefined }

function converse(socket: net.Socket, server: Inboxes, connected: () => void): void {
  const letter: Letter = { to: '', lines: undefined }
  let unread = ''
  const say = (text: string) => void setImmediate(() => socket.push(`${text}\r\n`))
  const fail = (code: string) =>
    void setImmediate(() => socket.destroy(Object.assign(new Error(code), { code })))
  Object.assign(socket, {
    _writev: undefined,
    _write(chunk: Buffer, _encoding: string, done: () => void) {
      unread += chunk.toString('latin1')
      const lines = unread.split('\r\n')
      unread = lines.pop() ?? ''
      for (const line of lines) {
        const answer = hear(server, letter, line)
        if (answer === 'lost') fail('ETIMEDOUT')
        else if (answer !== '') say(answer)
      }
      done()
    },
  })
  if (server.mailFault === 'silent') fail('ECONNREFUSED')
  else
    setImmediate(() => {
      connected()
      say('220 mail.sim ESMTP')
    })
}

/** @returns the answer to a line, none, or that the connection is lost */
function hear(server: Inboxes, letter: Letter, line: string): string {
  if (letter.lines !== undefined)
    return line === '.' ? accept(server, letter) : append(letter, line)
  const command = line.toUpperCase()
  if (command.startsWith('EHLO')) return '250-mail.sim\r\n250 ENHANCEDSTATUSCODES'
  if (command.startsWith('MAIL FROM'))
    return server.mailFault === 'refuses us' ? '451 4.7.1 Sender not accepted now' : '250 2.1.0 Ok'
  if (command.startsWith('RCPT TO')) {
    letter.to = /<(.*)>/.exec(line)?.[1] ?? ''
    return server.isGone(letter.to) ? '550 5.1.1 No such user' : '250 2.1.5 Ok'
  }
  if (command === 'DATA') {
    letter.lines = []
    return '354 Go ahead'
  }
  return command === 'QUIT' ? '221 2.0.0 Bye' : '250 2.0.0 Ok'
}

function append({ lines }: Letter, line: string): string {
  lines?.push(line.startsWith('..') ? line.slice(1) : line)
  return ''
}

function accept(server: Inboxes, letter: Letter): string {
  try {
    currentProcess()?.tick()
  } catch {
    // Its process was killed before the end of the mail arrived.
    return 'lost'
  }
  const isAnswered = server.mailFault !== 'late'
  server.receiveMail(letter.to, letter.lines?.join('\r\n') ?? '', isAnswered)
  letter.lines = undefined
  return isAnswered ? '250 2.0.0 Accepted' : 'lost'
}
