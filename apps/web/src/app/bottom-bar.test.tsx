import { expect, test } from 'vitest'
import { textsOf, toHtml } from '../shared/testing/to-html.tsx'
import { BottomBar } from './bottom-bar.tsx'

test('a holder has four pages in reach of the thumb', () => {
  const html = toHtml(<BottomBar />)
  expect([...html.matchAll(/href="([^"]+)"/g)].map(([, to]) => to)).toEqual([
    ...['/dashboard', '/referrals', '/activity', '/user'],
  ])
  expect(textsOf(html)).toBe('Dashboard Referral Activity My Account')
})
