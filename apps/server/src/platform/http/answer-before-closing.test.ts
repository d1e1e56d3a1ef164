import { once } from 'node:events'
import { request } from 'node:http'
import { expect, test } from 'vitest'
import { realClock } from '../clock.ts'
import { createLogger } from '../logger.ts'
import { answerBeforeClosing } from './answer-before-closing.ts'
import { createCallLimiter } from './call-limits.ts'
import { type App, createHttp } from './http.ts'

const LIMITS = { read: 1_000, write: 1_000, node: 1_000, networkFactor: 1 }

/** A listening server whose one call is answered when the test says so. */
async function listen(patienceMs?: number) {
  const app: App = await createHttp({
    log: createLogger('silent'),
    onAnswered: () => undefined,
    version: 'test',
    isTimeTrusted: () => true,
    headers: {},
    summaries: {},
    trustedProxies: 0,
    allowedOrigins: [],
    reportsOf: () => undefined,
    limiter: createCallLimiter({ realClock, limits: LIMITS }),
    authenticate: async () => undefined,
  })
  answerBeforeClosing(app, patienceMs)
  const [begun, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()]
  app.post('/api/claim', { config: { role: 'public' } }, () => {
    begun.resolve()
    return answer.promise
  })
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  const call = request(`${url}/api/claim`, { method: 'POST' }).end()
  await begun.promise
  return { app, call, answer: () => answer.resolve('claimed') }
}

test('a call in progress is answered although the server is closing', async () => {
  const { app, call, answer } = await listen()
  const answered = once(call, 'response')
  const closed = app.close()
  setTimeout(answer, 50)
  const [reply] = await answered
  expect(reply.statusCode).toBe(200)
  await closed
})

test('a call without an answer does not keep the server from closing', async () => {
  const { app, call } = await listen(20)
  const cut = once(call, 'error')
  await app.close()
  await cut
})
