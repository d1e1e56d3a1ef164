import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { readDocument } from './operation-documents.ts'

export const MAIL_HOST = 'mail.example.org'
export const MAIL_USER = { name: 'alarms@example.org', password: 'p@ss/word' }
export const BOT = '123456:AAE_example'
export const CHAT = '-1001234567890'

/** A mail server with TLS, Telegram's Bot API, and a receiver of webhooks. What they accepted is in `received`. */
export type Receivers = {
  mail: string
  telegram: string
  webhooks: string
  /** The certificate of the mail server. */
  certificate: string
  received: Record<'mail' | 'telegram' | 'webhook', string[]>
  /** The secret by which webhooks are signed. */
  expect(secret: string): void
  stop(): void
}

export async function startReceivers(folder: string): Promise<Receivers> {
  const received: Receivers['received'] = { mail: [], telegram: [], webhook: [] }
  let secret = ''
  const { readWebhook } = await documentedReceiver()
  const telegram = await listen(async (request, response) => {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? []
    const body = await readBody(request)
    const { status, ...reply } = answerOfTelegram({ token, method, body }, received.telegram)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  })
  const webhooks = await listen(async (request, response) => {
    const body = await readBody(request)
    if (request.method === 'HEAD') return response.writeHead(405).end()
    received.webhook.push(JSON.stringify(readWebhook(request.headers, body, secret)))
    return response.writeHead(204).end()
  })
  const mail = await startMail(folder, received.mail)
  return {
    ...{ received, telegram: telegram.url, webhooks: webhooks.url },
    ...{ mail: mail.url, certificate: mail.certificate },
    expect(one) {
      secret = one
    },
    stop() {
      for (const one of [telegram, webhooks, mail]) one.stop()
    },
  }
}

type ReadWebhook = (headers: IncomingMessage['headers'], body: string, secret: string) => unknown

/** The receiver that docs/webhooks.md shows. */
async function documentedReceiver(): Promise<{ readWebhook: ReadWebhook }> {
  const [, code = ''] = /```js\n([\s\S]*?)\n```/.exec(readDocument('../webhooks.md')) ?? []
  return import(`data:text/javascript,${encodeURIComponent(code)}`)
}

type Call = { token: string | undefined; method: string; body: string }

function answerOfTelegram({ token, method, body }: Call, sent: string[]) {
  const refuse = (status: number, description: string) => ({
    ...{ status, ok: false, error_code: status, description },
  })
  if (token !== BOT) return refuse(401, 'Unauthorized')
  const chat = { id: Number(CHAT), title: 'Alarms', type: 'supergroup' }
  const accept = (result: unknown) => ({ status: 200, ok: true, result })
  const message = { message_id: 1, date: 1_700_000_000, chat }
  if (method === 'getMe') return accept({ id: 123_456, is_bot: true, username: 'example_bot' })
  if (method === 'getUpdates')
    return accept([{ update_id: 1, message: { ...message, text: '/start' } }])
  const { chat_id: to, text } = JSON.parse(body || '{}') as { chat_id?: string; text?: string }
  if (`${to}` !== CHAT) return refuse(400, 'Bad Request: chat not found')
  if (method === 'getChat') return accept(chat)
  if (method !== 'sendMessage') return refuse(404, 'Not Found')
  sent.push(`${text}`)
  return accept({ ...message, text })
}

async function listen(answer: RequestListener) {
  const server = createServer((request, response) => {
    Promise.resolve(answer(request, response)).catch((error) => {
      response.writeHead(400).end(`${error}`)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, stop: () => server.close() }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return `${Buffer.concat(chunks)}`
}

/** A server that accepts mails only by STARTTLS and from a user. */
async function startMail(folder: string, mails: string[]) {
  const [key, certificate] = [join(folder, 'mail.key'), join(folder, 'mail.pem')]
  execFileSync('openssl', [
    ...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
    ...['-keyout', key, '-out', certificate, '-days', '2', '-subj', `/CN=${MAIL_HOST}`],
    ...['-addext', `subjectAltName=DNS:${MAIL_HOST}`],
  ])
  const server = new SMTPServer({
    ...{ key: readFileSync(key), cert: readFileSync(certificate) },
    onAuth({ username, password }, _session, done) {
      const isKnown = username === MAIL_USER.name && password === MAIL_USER.password
      if (isKnown) done(null, { user: username })
      else done(new Error('Invalid login'))
    },
    onData(stream, _session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        mails.push(`${Buffer.concat(chunks)}`)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    certificate: readFileSync(certificate, 'utf8'),
    stop: () => server.close(() => undefined),
  }
}
