import { expect, onTestFinished, test } from 'vitest'
import { serveHttp } from './http.ts'

test('an idle connection has no end, so that no request meets its closing', async () => {
  const server = await serveHttp({ allowBrowsers: false, answer: async () => ({ body: '{}' }) })
  onTestFinished(() => server.stop())
  const { headers } = await fetch(server.url)
  expect([headers.get('connection'), headers.get('keep-alive')]).toEqual(['keep-alive', null])
})
