import { expect, test } from 'vitest'
import { explorerLink } from './explorer-link.ts'

const EXPLORER = 'https://tronscan.org/#/'

test('a link points to the explorer’s page of the address or transaction', () => {
  const target = { chain: 'tron', kind: 'transaction', value: 'ab12' } as const
  expect(explorerLink(EXPLORER, target)).toBe('https://tronscan.org/#/transaction/ab12')
  expect(explorerLink('https://bscscan.com', { ...target, chain: 'bsc', value: '0xab' })).toBe(
    'https://bscscan.com/tx/0xab',
  )
})

test.each([
  'javascript:alert(1)',
  '//evil.example',
  '../../evil',
  'https://evil.example/',
  '"><img src=x onerror=alert(1)>',
  '#/evil?x=1&y=2',
  '\u0000\n\tjavascript:alert(1)',
])('[T096] whatever is given as a hash (%j), the link stays on the explorer’s page', (value) => {
  for (const explorer of [EXPLORER, 'https://bscscan.com']) {
    const link = explorerLink(explorer, { chain: 'bsc', kind: 'address', value })
    const base = `${explorer.replace(/\/$/, '')}/address/`
    expect(link.startsWith(base)).toBe(true)
    expect(link.slice(base.length)).toMatch(/^[\w.%!~*'()-]+$/)
    expect(new URL(link).origin).toBe(new URL(explorer).origin)
  }
})
