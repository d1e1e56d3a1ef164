import { amount } from '@dct/money'
import { CANCEL_AFTER_HOURS } from '@dct/rules/constants'
import { expect, test } from 'vitest'
import { openSession } from '../../modules/auth/sessions.ts'
import { bookStakingEvent } from '../../modules/earnings/index.ts'
import { inTransaction } from '../../platform/database/db.ts'
import {
  claim,
  claimRows,
  createClaimsWorld,
  get,
  givenHolder,
  givenMarket,
  payOut,
  post,
  receive,
  transferEvent,
} from '../../testing/claims.ts'
import type { TestDatabase } from '../../testing/database.ts'
import { ManualClock } from '../../testing/manual-clock.ts'
import {
  createBrowser,
  createMessagesWorld,
  givenEmail,
  readMail,
} from '../../testing/messages-world.ts'
import { createReferralApp, payClaim } from '../../testing/referral-app.ts'
import { payFee } from '../../testing/referrals.ts'
import { releasedEvent } from '../../testing/stakes.ts'
import { givenWorld } from '../../testing/use-world.ts'

/** A holder with a possible claim, on a database that also sends messages. */
async function givenClaimant() {
  const clock = new ManualClock('2026-03-01T03:00:00Z')
  const { database, world } = await givenWorld((db) => createClaimsWorld(db, clock))
  const messages = await createMessagesWorld(database.db, clock)
  await givenMarket(world)
  return { database, messages, world, holder: await givenHolder(world, { days: 8 }) }
}

/** The subjects of all e-mails, and the kinds of all messages that were written. */
async function outcome(
  { db }: TestDatabase,
  messages: Awaited<ReturnType<typeof createMessagesWorld>>,
) {
  await messages.deliver()
  const mails = await Promise.all(messages.mail.mails.map(readMail))
  const query = db.selectFrom('outbox_message').select(['type', 'receivers']).orderBy('number')
  const rows = await query.execute()
  return {
    subjects: mails
      .map(({ to, subject }) => [`${to}`, subject?.replace('DCT Earning: ', '')])
      .toSorted(),
    kinds: rows
      .filter(({ receivers }) => receivers !== null)
      .map(({ type }) => type.slice('message.'.length)),
  }
}

test('a holder is notified once of the fee, of both parts of a reward and of the capital, in their language', async () => {
  const { database, messages, world, holder } = await givenClaimant()
  await givenEmail(database.db, holder, 'holder@example.com', 'id')
  await claim(world, holder, 'HALF')
  const [row] = await claimRows(world)
  const payment = transferEvent(world, { value: row?.exact_amount ?? 0n })
  await receive(world, payment)
  await receive(world, payment)
  await payOut(world, `claim:${row?.id}:now`)
  await payOut(world, `claim:${row?.id}:later`)
  const { stake_id: stakeId } = await database.db
    .selectFrom('earning')
    .select('stake_id')
    .executeTakeFirstOrThrow()
  const release = {
    stakeId,
    staker: holder.address,
    amount: amount('DCT', 50_000_000n),
    at: world.clock.now(),
  }
  const event = releasedEvent(release)
  for (const _ of [1, 2])
    await inTransaction(database.db, (tx) => bookStakingEvent(world.stakes, tx, event))

  const { subjects, kinds } = await outcome(database, messages)
  const to = 'holder@example.com'
  expect(subjects).toEqual(
    [
      [to, `Biaya klaim ${row?.code_claim} telah kami terima`],
      [to, '0,400000 DCT telah masuk ke dompet Anda'],
      [to, '0,400000 DCT telah masuk ke dompet Anda'],
      [to, '50,000000 DCT telah kembali ke dompet Anda'],
    ].toSorted(),
  )
  expect(kinds).toEqual(['fee_seen', 'reward_sent', 'reward_sent', 'capital_returned'])
})

test('a holder is told by message, once, of a second payment of a fee', async () => {
  const { database, messages, world, holder } = await givenClaimant()
  await givenEmail(database.db, holder, 'holder@example.com', 'id')
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  const value = row?.exact_amount ?? 0n
  await receive(world, transferEvent(world, { value: value + 1n }))
  await receive(world, transferEvent(world, { value }))
  const second = transferEvent(world, { value })
  await receive(world, second)
  await receive(world, second)
  const { subjects, kinds } = await outcome(database, messages)
  expect(subjects).toEqual([
    ['holder@example.com', `Biaya klaim ${row?.code_claim} telah kami terima`],
    ['holder@example.com', `Pembayaran lain untuk klaim ${row?.code_claim} telah kami terima`],
    ['holder@example.com', `Sebuah pembayaran berbeda dari biaya klaim ${row?.code_claim}`],
  ])
  expect(kinds).toEqual(['fee_seen', 'fee_seen', 'fee_seen'])
  const mails = await Promise.all(messages.mail.mails.map(readMail))
  expect(mails.filter(({ body }) => body.includes('lagi diterima'))).toMatchObject([
    { body: expect.stringMatching(/lagi diterima .*, yang\s+sudah dibayar/s) },
  ])
})

test('a holder is told by message of a payment of a wrong amount, once for each claim, and of one for a closed claim', async () => {
  const { database, messages, world, holder } = await givenClaimant()
  await givenEmail(database.db, holder, 'holder@example.com')
  await claim(world, holder, 'FULL')
  const [row] = await claimRows(world)
  const [value, code] = [row?.exact_amount ?? 0n, row?.code_claim ?? '']
  for (const off of [1n, 2n]) await receive(world, transferEvent(world, { value: value + off }))
  // Too little to be worth anybody's attention, and too far off to be meant for this fee.
  for (const far of [1n, value + 50n * 10n ** 18n])
    await receive(world, transferEvent(world, { value: far }))
  world.clock.set(new Date(world.clock.now().getTime() + (CANCEL_AFTER_HOURS + 1) * 3_600_000))
  const cancelled = await post(world, holder, '/user/cancel-claim', { code_claim: code })
  expect(cancelled.status).toBe(200)
  await receive(world, transferEvent(world, { value }))
  const { subjects } = await outcome(database, messages)
  const to = 'holder@example.com'
  expect(subjects).toEqual([
    [to, `A payment differs from the fee of claim ${code}`],
    [to, `A payment for claim ${code} came too late`],
  ])
  const mails = await Promise.all(messages.mail.mails.map(readMail))
  const bodies = mails.map(({ body }) => body.replaceAll(/\s+/g, ' '))
  expect(bodies.join()).toContain('you need not pay again')
  expect(bodies.join()).toContain('which can no longer be paid')
})

test('a payer’s referrer is notified of the reward, and of the claim when it is paid', async () => {
  const { database, world } = await givenWorld((db) => createReferralApp(db))
  const messages = await createMessagesWorld(database.db, world.clock)
  const [admin, holder] = [await world.given({ role: 'admin' }), await world.given()]
  await givenEmail(database.db, holder, 'holder@example.com')
  const payer = await world.given({ referrerId: holder.id })
  await givenEmail(database.db, payer, 'payer@example.com')
  await payFee(world.people, { payerId: payer.id, usdt: '125' })
  const { body } = await world.claim(holder)
  await world.approve(admin, body.id)
  await payClaim(world.people, { id: body.id, blockNumber: 101n })
  const { subjects, kinds } = await outcome(database, messages)
  expect(subjects).toEqual([
    ['holder@example.com', 'You have received a referral reward'],
    ['holder@example.com', 'Your referral claim has been paid'],
  ])
  expect(kinds).toEqual(['referral_reward', 'referral_claim_paid'])
})

test('a push message contains the number of possible claims and due fees, as the pages count them', async () => {
  const { messages, world, holder } = await givenClaimant()
  const browser = createBrowser(`${messages.push.url}/send/1`)
  const session = await inTransaction(world.db, (tx) =>
    openSession({ realClock: world.clock }, tx, {
      userId: holder.id,
      role: 'user',
      client: { ip: '127.0.0.1', userAgent: 'test' },
    }),
  )
  // The two apps have different clocks, and neither accepts the other's sessions.
  const reader = { ...holder, token: session.token }
  const subscription = { ...browser.subscription, language: 'en' }
  expect((await messages.call('POST', '/user/messages/push', reader, subscription)).status).toBe(
    200,
  )
  const pushed = async () => {
    await messages.call('POST', '/user/messages/test', reader, { channel: 'push' })
    await messages.deliver()
    const sent = messages.push.received.at(-1)
    if (sent === undefined) throw new Error('nothing was sent')
    return browser.read(sent).waiting
  }
  const onPages = async () => {
    const { claimable_rewards } = (await get(world, holder, '/user/claimable-reward')).body
    const fees = (await get(world, holder, '/user/pending-claim-fees?is_paid=false')).body
    const possible = claimable_rewards.filter(({ can_claim }: { can_claim: boolean }) => can_claim)
    return [possible.length, fees.total]
  }
  expect([await pushed(), await onPages()]).toEqual([1, [1, 0]])
  await claim(world, holder, 'HALF')
  expect([await pushed(), await onPages()]).toEqual([1, [0, 1]])
  const [row] = await claimRows(world)
  await receive(world, transferEvent(world, { value: row?.exact_amount ?? 0n }))
  expect([await pushed(), await onPages()]).toEqual([0, [0, 0]])
})
