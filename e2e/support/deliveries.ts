import type { DeliveriesReply, Delivery } from '@dct/api-contract/deliveries'

const AT = '2026-01-31T03:00:00.000Z'
const delivery = (changes: Partial<Delivery>): Delivery => ({
  ...{ id: '1', type: 'alarm.raised', severity: 'warning', subject: 'funds.low: TRX_LOW' },
  ...{ channel: 'email', receiver: 'operators-of-the-night@mail.example.org', state: 'sent' },
  ...{ attempts: 1, last_error: null, written_at: AT, due_at: null, ended_at: AT },
  ...changes,
})

/** A reply with a test message and a delivery in every state. */
export function deliveries(): DeliveriesReply {
  const test = { type: 'test', severity: null, subject: '' } as const
  const refused = { state: 'failed', last_error: 'The receiver answered 404.' } as const
  const hook = { channel: 'webhook', receiver: 'hooks.example.org (1f3a9c2e)' } as const
  return {
    test: {
      asked_at: AT,
      is_dispatched: true,
      deliveries: [
        delivery({ ...test, id: '7' }),
        delivery({ ...test, ...hook, ...refused, id: '8' }),
      ],
    },
    deliveries: [
      delivery({ id: '6', state: 'pending', attempts: 0, due_at: AT, ended_at: null }),
      delivery({
        ...{ id: '5', channel: 'telegram', receiver: '-1001234567890', severity: 'critical' },
        ...{ state: 'pending', attempts: 3, due_at: AT, ended_at: null },
        ...{ subject: `event_undone: TRON:0x${'5f'.repeat(32)}:3` },
        last_error: 'Telegram answered 400: Bad Request: chat not found',
      }),
      delivery({ ...hook, ...refused, id: '4', type: 'payout.sent', subject: '', attempts: 12 }),
      delivery({ id: '3', type: 'alarm.resolved' }),
    ],
  }
}
