import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { walletConnectProject } from './value-types.ts'

test('a WalletConnect project is given by its id of 32 hexadecimal digits, and nothing similar is accepted', () => {
  const id = '0123456789abcdef'.repeat(2)
  const type = walletConnectProject({ description: '' })
  expect(Value.Check(type, id)).toBe(true)
  for (const wrong of ['', id.slice(1), id.toUpperCase(), `${id}0`, `${id}\n`, 'my project']) {
    expect([wrong, Value.Check(type, wrong)]).toEqual([wrong, false])
  }
})
