import { expect, test } from 'vitest'
import type { ChainEvent } from './chain-event.ts'
import type { StreamEvent } from './collect-events.ts'
import { compareEvents } from './halt-changes.ts'

const event = (logIndex: number, value: string, block = 1): ChainEvent => ({
  ...{ chain: 'BSC', txHash: Buffer.alloc(32, 7), logIndex, name: 'Transfer', args: { value } },
  ...{ blockNumber: BigInt(block), blockHash: Buffer.alloc(32, block), blockTime: new Date(0) },
  address: Buffer.alloc(20, 5),
})
const found = (events: readonly ChainEvent[]) =>
  events.map((one) => ({ stream: {} as StreamEvent['stream'], event: one }))

test('[T063] each event of a transaction is compared with its own counterpart', () => {
  const known = [event(0, '5'), event(1, '6')]
  expect(compareEvents(known, found([event(0, '5', 2), event(1, '6', 2)]))).toEqual({
    ...{ gone: [], added: [], changed: [], moved: 2 },
  })
  expect(compareEvents(known, found([event(0, '5'), event(1, '9')]))).toMatchObject({
    ...{ gone: [], added: [], moved: 0 },
    changed: [{ logIndex: 1, args: { value: '9' } }],
  })
})
