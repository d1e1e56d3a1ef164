import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { tidyForwarded } from './forwarded.ts'

const tidied = (headers: IncomingHttpHeaders) => {
  tidyForwarded(headers)
  return headers['x-forwarded-for']
}

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:41234', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['"[2001:db8::1]:443"', '2001:db8::1'],
  ['10.0.0.1:80,[::1]:9', '10.0.0.1, ::1'],
  ['nonsense, 192.0.2.1', 'unknown, 192.0.2.1'],
  ['', 'unknown'],
])('X-Forwarded-For: %s means %s', (header, meant) => {
  expect(tidied({ 'x-forwarded-for': header })).toBe(meant)
})

test.each([
  ['for=192.0.2.60;proto=http;by=203.0.113.43', '192.0.2.60'],
  ['For="[2001:db8:cafe::17]:4711"', '2001:db8:cafe::17'],
  ['for=192.0.2.43, for="198.51.100.17:80"', '192.0.2.43, 198.51.100.17'],
  ['proto=https;for=192.0.2.1', '192.0.2.1'],
  ['for=_hidden, for=unknown, by=192.0.2.1', 'unknown, unknown, unknown'],
])('Forwarded: %s means %s', (forwarded, meant) => {
  expect(tidied({ forwarded })).toBe(meant)
})

test('X-Forwarded-For counts where both are given', () => {
  expect(tidied({ 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.2' })).toBe('192.0.2.1')
})
