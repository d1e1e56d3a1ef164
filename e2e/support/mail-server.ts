import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

type Mail = { to: string; text: string }

/** A local mail server that accepts every mail. */
export type MailServer = {
  url: string
  /** Waits for a mail to this address that contains this text. @returns the newest one's text */
  mail(to: string, containing: string): Promise<string>
  stop(): Promise<void>
}

const WITHIN_MS = 30_000

export async function startMailServer(): Promise<MailServer> {
  const mails: Mail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const text = decoded(Buffer.concat(chunks).toString())
        mails.push(...envelope.rcptTo.map(({ address }) => ({ to: address, text })))
        server.emit('mail')
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    async mail(to, containing) {
      const signal = AbortSignal.timeout(WITHIN_MS)
      for (;;) {
        const found = mails.findLast((mail) => mail.to === to && mail.text.includes(containing))
        if (found) return found.text
        await once(server, 'mail', { signal })
      }
    },
    stop: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Decodes quoted-printable text. ASCII only. */
function decoded(text: string): string {
  return text
    .replaceAll(/=\r?\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
}
