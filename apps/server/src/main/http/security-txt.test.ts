import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import type { App } from '../../platform/http/http.ts'
import { serveSecurityTxt } from './security-txt.ts'

test('security.txt names the contact, an expiry date within a year, and the pages of this site', async () => {
  const app = Fastify()
  serveSecurityTxt(app as unknown as App, {
    origin: 'https://dct.example',
    supportEmail: 'help@dct.example',
  })
  const { headers, body } = await app.inject('/.well-known/security.txt')
  expect(headers['content-type']).toBe('text/plain; charset=utf-8')
  const fields = Object.fromEntries(
    body
      .trim()
      .split('\n')
      .map((line) => line.split(/: (.*)/, 2)),
  )
  const { Expires: expires, ...others } = fields
  expect(others).toEqual({
    Contact: 'mailto:help@dct.example',
    'Preferred-Languages': 'id, en',
    Canonical: 'https://dct.example/.well-known/security.txt',
    Policy: 'https://dct.example/security',
  })
  const days = (new Date(expires ?? '').getTime() - realClock.now().getTime()) / DAY_MS
  expect(days).toBeGreaterThan(80)
  expect(days).toBeLessThan(365)
})
