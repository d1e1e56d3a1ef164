import { readFileSync } from 'node:fs'
import { EVENTS, type EventType } from '@dct/api-contract/business-events'
import { DECIMALS, parseAmount } from '@dct/money'
import { Webhook } from 'standardwebhooks'
import { Value } from 'typebox/value'
import { expect, test } from 'vitest'
import { webhookBody } from '../../platform/outbox/channels/webhook.ts'
import {
  claim,
  claimRows,
  createClaimsWorld,
  givenHolder,
  givenMarket,
  payOut,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import { createReferralApp, payClaim } from '../../testing/referral-app.ts'
import { payFee } from '../../testing/referrals.ts'
import { passDays } from '../../testing/stakes.ts'
import { givenWorld } from '../../testing/use-world.ts'

const GUIDE = readFileSync(new URL('../../../../../docs/webhooks.md', import.meta.url), 'utf8')
const TYPES = Object.keys(EVENTS) as EventType[]
const blocksOf = (language: string) =>
  [...GUIDE.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, text = '']) => text,
  )

/** The bodies that webhooks would receive, in the order in which the messages were written. */
async function bodiesIn({ db }: TestDatabase) {
  const messages = await db
    .selectFrom('outbox_message')
    .select(['id', 'type', 'severity', 'data', 'at'])
    .orderBy('number')
    .execute()
  return messages.map((message) => JSON.parse(webhookBody(message, DECIMALS)))
}

/** The type of a body, after checking that its data matches the API contract. */
function typeOf({ type, data }: { type: EventType; data: unknown }): EventType {
  expect([...Value.Errors(EVENTS[type], data)]).toEqual([])
  return type
}

test('a stake, its claim, the fee and both payouts are reported once each, with exact amounts', async () => {
  const clock = new ManualClock('2026-03-01T03:00:00Z')
  const { database, world } = await givenWorld((db) => createClaimsWorld(db, clock))
  await givenMarket(world)
  const holder = await givenHolder(world, { days: 8 })
  const { body } = await claim(world, holder, 'HALF')
  // Refused while the first claim is open, so no event reports it.
  await passDays(world.stakes, 1)
  expect((await claim(world, holder, 'HALF')).status).toBe(409)
  const [row] = await claimRows(world)
  const payment = transferEvent(world, { value: row?.exact_amount ?? 0n })
  await receive(world, payment)
  await receive(world, payment)
  await payOut(world, `claim:${row?.id}:now`)
  await payOut(world, `claim:${row?.id}:later`)

  const bodies = await bodiesIn(database)
  expect(bodies.map(typeOf)).toEqual([
    'stake.joined',
    'claim.made',
    'fee.paid',
    'payout.sent',
    'payout.sent',
  ])
  const [joined, made, paid, now, later] = bodies.map(({ data }) => data)
  const dct = (text: string) => parseAmount('DCT', text)
  expect(joined).toMatchObject({ holder: holder.wallet.tronAddress, amount: { asset: 'DCT' } })
  expect(made.claim_code).toBe(body.data.code_claim)
  expect(dct(made.pay_now.amount) + dct(made.pay_after_fee.amount)).toBe(row?.amount)
  expect(parseAmount('USDT', paid.amount.amount)).toBe(row?.exact_amount)
  expect(paid.amount).toEqual(made.fee)
  expect([now.amount, later.amount]).toEqual([made.pay_now, made.pay_after_fee])
  expect(JSON.stringify(bodies)).not.toContain('@')
})

test('a referral claim is reported when it is made, approved and paid', async () => {
  const { database, world } = await givenWorld((db) => createReferralApp(db))
  const [admin, holder] = [await world.given({ role: 'admin' }), await world.given()]
  const payer = await world.given({ referrerId: holder.id })
  await payFee(world.people, { payerId: payer.id, usdt: '125' })
  const { body } = await world.claim(holder)
  await world.approve(admin, body.id)
  const hash = await payClaim(world.people, { id: body.id, blockNumber: 101n })
  const bodies = await bodiesIn(database)
  expect(bodies.map(typeOf)).toEqual([
    'referral_claim.made',
    'referral_claim.approved',
    'payout.sent',
    'referral_claim.paid',
  ])
  const facts = {
    ...{ claim_id: body.id, holder: holder.wallet.tronAddress },
    amount: { asset: 'USDT', amount: '12.500000' },
  }
  for (const at of [0, 1, 3]) expect(bodies[at].data).toMatchObject(facts)
  expect([bodies[2].data.tx_hash, bodies[3].data.tx_hash]).toEqual([hash, hash])
})

test('a chain event that is booked again after a restore has the same message id', async () => {
  const ids = []
  for (const _restore of [1, 2]) {
    const { database, world } = await givenWorld((db) => createReferralApp(db))
    const [admin, holder] = [await world.given({ role: 'admin' }), await world.given()]
    const payer = await world.given({ referrerId: holder.id })
    await payFee(world.people, { payerId: payer.id, usdt: '125' })
    const { body } = await world.claim(holder)
    await world.approve(admin, body.id)
    await payClaim(world.people, { id: body.id, blockNumber: 101n })
    const rows = await database.db
      .selectFrom('outbox_message')
      .select(['type', 'id'])
      .where('type', 'in', ['payout.sent', 'referral_claim.made'])
      .orderBy('type')
      .execute()
    ids.push(rows.map(({ id }) => id))
  }
  expect(ids[0]?.[0]).toBe(ids[1]?.[0])
  // A claim exists only in the database: one made again after a restore is a different event.
  expect(ids[0]?.[1]).not.toBe(ids[1]?.[1])
})

test('the guide has an example of each event, and every example matches the API contract', () => {
  const examples = blocksOf('json').map((text) => JSON.parse(text))
  const events = examples.filter(({ type }) => !type.startsWith('alarm.'))
  expect(events.map(typeOf)).toEqual(TYPES)
})

test('the guide’s receiver accepts signed messages and nothing else', async () => {
  const [code = ''] = blocksOf('js')
  const module = `data:text/javascript,${encodeURIComponent(code)}`
  const { readWebhook } = await import(/* @vite-ignore */ module)
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  const sent = new Date('2026-01-31T03:00:00Z')
  const body = '{"type":"test"}'
  const headersBy = (key: string) => ({
    'webhook-id': 'a',
    'webhook-timestamp': `${sent.getTime() / 1_000}`,
    'webhook-signature': new Webhook(key).sign('a', sent, body),
  })
  const headers = headersBy(secret)
  const now = sent.getTime()
  expect(readWebhook(headers, body, secret, now)).toEqual({ type: 'test' })
  const both = headersBy(`whsec_${Buffer.alloc(32, 8).toString('base64')}`)
  both['webhook-signature'] += ` ${headers['webhook-signature']}`
  expect(readWebhook(both, body, secret, now)).toEqual({ type: 'test' })
  const wrong = /wrong signature/
  expect(() => readWebhook(headers, `${body} `, secret, now)).toThrow(wrong)
  expect(() => readWebhook({ ...headers, 'webhook-id': 'b' }, body, secret, now)).toThrow(wrong)
  expect(() => readWebhook(headers, body, secret, now + 301_000)).toThrow(/too old/)
})
