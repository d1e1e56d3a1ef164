import { expect, test } from 'vitest'
import { LIVE } from '../../testing/live-settings.ts'
import { readConfig } from '../config.ts'
import { channelsOf } from './outbox-wiring.ts'

test('a receiver that the settings name twice is one channel, because each message goes to it once', () => {
  const config = readConfig({
    ...LIVE,
    ...{ SMTP_URL: 'smtps://mail.example.org', SMTP_FROM: 'a@example.org' },
    ...{ ALARM_EMAILS: 'ops@example.org,it@example.org,ops@example.org' },
    ALARM_WEBHOOKS: 'https://example.org/a,https://example.org/a',
    ...{ EVENT_WEBHOOKS: 'https://example.org/a', WEBHOOK_SECRETS: `whsec_${'A'.repeat(44)}` },
  })
  const receivers = channelsOf({ config, dctDecimals: 6 }).map(({ receiver }) => receiver)
  expect(receivers).toHaveLength(3)
  expect(new Set(receivers).size).toBe(3)
})
