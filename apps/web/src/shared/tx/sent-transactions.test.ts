import { expect, test } from 'vitest'
import { memory } from '../testing/memory.ts'
import { type SentTransaction, SentTransactions } from './sent-transactions.ts'

const sent = (hash: string, owner = 'T1'): SentTransaction => ({
  kind: 'join',
  hash,
  owner,
  deadline: 1,
  facts: { planCode: 'PLAN-360' },
})

test('a sent transaction survives a reload, for its own account and action only', () => {
  const storage = memory()
  const before = new SentTransactions(storage)
  before.add(sent('aa'))
  before.add(sent('bb', 'T2'))
  before.add(sent('aa'))

  const after = new SentTransactions(storage)
  expect(after.list({ kind: 'join', owner: 'T1' })).toEqual([sent('aa')])
  expect(after.list({ kind: 'fund', owner: 'T1' })).toEqual([])
  after.remove('aa')
  expect(before.list({ kind: 'join', owner: 'T1' })).toEqual([])
  expect(before.list({ kind: 'join', owner: 'T2' })).toHaveLength(1)
})

test.each(['', '{', '{}', '[1, null, {"kind": "join"}]'])(
  'an unreadable entry counts as none (%j)',
  (text) => {
    const stored = new SentTransactions(memory({ sentTransactions: text }))
    expect(stored.list({ kind: 'join', owner: 'T1' })).toEqual([])
  },
)
