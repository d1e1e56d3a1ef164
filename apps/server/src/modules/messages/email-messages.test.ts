import { beforeEach, expect, test } from 'vitest'
import { openAlarms } from '../../platform/alarms/alarms.ts'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import type { ManualClock } from '../../testing/manual-clock.ts'
import {
  freshMessages,
  givenEmail,
  type MessagesWorld,
  readMail,
} from '../../testing/messages-world.ts'
import { SITE } from '../../testing/outbox-world.ts'
import type { TestUser } from '../../testing/users.ts'
import type { HolderMessage } from './holder-message.ts'
import { messageHolders } from './index.ts'

const database = useTestDatabase()
let clock: ManualClock
let world: MessagesWorld
let holder: TestUser

beforeEach(async () => {
  ;({ clock, world, holder } = await freshMessages(database.db, {
    email: 'registered@example.com',
  }))
})

const tell = (...messages: HolderMessage[]) =>
  inTransaction(database.db, (tx) => messageHolders(tx, messages))
const claimable = (key: string): HolderMessage => ({
  ...{ userId: holder.id, kind: 'claimable', key, at: clock.now() },
  facts: { plan_code: 'PLAN-360', amount: { asset: 'DCT', units: 600_000n } },
})
const feeSeen = (key: string): HolderMessage => ({
  ...{ userId: holder.id, kind: 'fee_seen', key, at: clock.now() },
  facts: {
    plan_code: 'PLAN-360',
    claim_code: 'CL-1',
    amount: { asset: 'USDT', units: 3n * 10n ** 17n },
    variant: '',
  },
})
const mails = () => Promise.all(world.mail.mails.map(readMail))
const linkIn = (body = '', page = 'confirm-email') =>
  new RegExp(`${SITE.origin}/${page}\\?token=([\\w-]+)`).exec(body)?.[1] ?? ''
const setEmail = (address: string, language = 'en') =>
  world.call('PUT', '/user/messages/email', holder, { address, language })
const emailState = async () => (await world.call('GET', '/user/messages', holder)).body.email

test('an address receives only its confirmation until the link in it is opened', async () => {
  expect((await world.call('GET', '/user/messages', holder)).body).toMatchObject({
    ...{ registered_email: 'registered@example.com', email: null, language: 'en' },
  })
  expect(await setEmail(' holder@example.com ', 'id')).toMatchObject({ status: 200 })
  await tell(claimable('1'))
  expect(
    await world.call('POST', '/user/messages/test', holder, { channel: 'email' }),
  ).toMatchObject({
    ...{ status: 404, body: { code: 'NO_SUCH_CHANNEL' } },
  })
  await world.deliver()
  const [confirmation, ...others] = await mails()
  expect(others).toEqual([])
  expect(confirmation).toMatchObject({
    to: ['holder@example.com'],
    subject: 'DCT Earning: Mohon konfirmasi alamat e-mail Anda',
  })
  expect(confirmation?.headers.has('list-unsubscribe')).toBe(false)
  expect(await emailState()).toEqual({
    ...{ address: 'holder@example.com', state: 'unconfirmed', problem: null },
  })

  const token = linkIn(confirmation?.body)
  const confirm = () => world.call('POST', '/messages/confirm-email', undefined, { token })
  expect(await confirm()).toMatchObject({ status: 200 })
  expect(await confirm()).toMatchObject({ status: 200 })
  expect(await emailState()).toMatchObject({ address: 'holder@example.com', state: 'confirmed' })
  await tell(claimable('2'))
  await world.deliver()
  const [, told, ...more] = await mails()
  expect(more).toEqual([])
  expect(told).toMatchObject({
    to: ['holder@example.com'],
    subject: 'DCT Earning: Anda dapat melakukan klaim pada PLAN-360',
  })
  expect(told?.body).toContain('0,600000 DCT')
})

test('a confirmation link expires after a day, and when the address is replaced', async () => {
  await setEmail('first@example.com')
  await world.deliver()
  await setEmail('second@example.com')
  await world.deliver()
  const [first, second] = (await mails()).map(({ body }) => linkIn(body))
  const confirm = async (token = '') =>
    (await world.call('POST', '/messages/confirm-email', undefined, { token })).body.code
  expect(await confirm(first)).toBe('MESSAGE_TOKEN_INVALID')
  clock.advanceMs(24 * 3_600_000)
  expect(await confirm(second)).toBe('MESSAGE_TOKEN_INVALID')
  expect(await world.call('POST', '/user/messages/email/confirmation', holder)).toMatchObject({
    status: 200,
  })
  await world.deliver()
  expect(await confirm(linkIn((await mails())[2]?.body))).toBeUndefined()
  expect(await emailState()).toMatchObject({ address: 'second@example.com', state: 'confirmed' })
})

test('the number of confirmations per hour is limited, even for different addresses', async () => {
  const answers: number[] = []
  for (let at = 0; at < 7; at += 1) {
    answers.push((await setEmail(`somebody${at}@example.com`)).status)
    await world.call('DELETE', '/user/messages/email', holder)
  }
  expect(answers).toEqual([200, 200, 200, 200, 200, 429, 429])
  await world.deliver()
  expect(world.mail.mails).toEqual([])
  expect(await setEmail('no address')).toMatchObject({ body: { code: 'EMAIL_INVALID' } })
})

test('a fact is reported once, and each message has its own id', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await tell(feeSeen('tx:0'), feeSeen('tx:0'))
  await tell(feeSeen('tx:0'))
  await world.deliver()
  expect(world.mail.mails).toHaveLength(1)
  await tell(feeSeen('tx:1'))
  await world.deliver()
  const [first, second] = await mails()
  expect(first?.messageId).toMatch(/^<[\da-f-]{36}@earn\.example\.org>$/)
  expect(second?.messageId).not.toBe(first?.messageId)
})

test('one click stops e-mails of a kind that is not about money, and only e-mails; opening the link changes nothing', async () => {
  await givenEmail(database.db, holder, 'holder@example.com')
  await tell(claimable('1'), feeSeen('1'))
  await world.deliver()
  const sent = await mails()
  const about = (words: string) => sent.find(({ subject }) => subject?.includes(words))
  const [chosen, money] = [about('You can claim'), about('Your fee')]
  expect(money).toBeDefined()
  expect(money?.source).not.toMatch(/^List-Unsubscribe/im)
  expect(money?.body).not.toContain('/unsubscribe')
  const address =
    /^List-Unsubscribe: <(.*)>\r?$/m.exec(
      chosen?.source.replaceAll(/\r?\n[ \t]+/g, ' ') ?? '',
    )?.[1] ?? ''
  expect(chosen?.source).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)
  expect(address).toContain(
    `${SITE.origin}/api/messages/unsubscribe?token=${linkIn(chosen?.body, 'unsubscribe')}`,
  )

  const path = address.slice(SITE.origin.length)
  const looked = await world.app.inject({ url: path })
  expect([looked.statusCode, looked.headers.location]).toEqual([
    302,
    path.slice('/api/messages'.length),
  ])
  const asked = () =>
    world.call('GET', path.replace('/api', '').replace('unsubscribe', 'subscription'))
  expect((await asked()).body).toEqual({ kind: 'claimable', is_subscribed: true })
  await tell(claimable('2'))
  // Posted as mail providers do it: either kind of form, or nothing, without cookies or a session token.
  const form = 'multipart/form-data; boundary=x'
  const part =
    '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--'
  for (const [type, payload] of [
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['application/x-www-form-urlencoded', ''],
    [form, part],
    ['text/plain; charset=latin1', 'List-Unsubscribe=One-Click'],
    ['application/json', 'no JSON'],
    [';;;', 'List-Unsubscribe=One-Click'],
    [undefined, 'x'],
    [undefined, undefined],
  ]) {
    const clicked = await world.app.inject({
      ...{ method: 'POST', url: path },
      ...(payload === undefined ? {} : { payload }),
      headers: type === undefined ? {} : { 'content-type': type },
    })
    expect([type, payload, clicked.statusCode]).toEqual([type, payload, 200])
  }
  expect((await asked()).body).toEqual({ kind: 'claimable', is_subscribed: false })
  const { choices } = (await world.call('GET', '/user/messages', holder)).body
  expect(choices).toContainEqual({
    ...{ kind: 'claimable', is_about_money: false, email: false, telegram: true, push: true },
  })
  await tell(claimable('3'), feeSeen('3'))
  await world.deliver()
  expect((await mails()).slice(2).map(({ subject }) => subject)).toEqual([
    'DCT Earning: Your fee for claim CL-1 has arrived',
  ])
})

test('an address that the mail server rejects permanently is sent nothing more, and its holder sees that', async () => {
  await givenEmail(database.db, holder, 'nobody@example.com')
  await tell(feeSeen('1'))
  await world.deliver()
  expect(await emailState()).toEqual({
    ...{ address: 'nobody@example.com', state: 'ended', problem: 'refused' },
  })
  await tell(feeSeen('2'))
  await world.deliver()
  expect(world.mail.mails).toEqual([])
})

test.each([
  ['5.1.1', 'no_address'],
  ['5.1.2', 'no_domain'],
  ['5.1.10', 'no_domain'],
  ['5.2.1', 'disabled'],
  ['5.2.2', 'full'],
])('a holder sees why their mail server rejects messages: %s means %s', async (code, problem) => {
  await givenEmail(database.db, holder, `nobody-${code}@example.com`)
  await tell(feeSeen('1'))
  await world.deliver()
  expect(await emailState()).toMatchObject({ state: 'ended', problem })
  await setEmail('holder@example.com')
  expect(await emailState()).toMatchObject({ state: 'unconfirmed', problem: null })
})

test.each([
  ['refuses to relay', 554, '5.7.1 <holder@example.com>: Relay access denied'],
  ['does not know the sender', 550, '5.1.8 <messages@example.org>: Sender address rejected'],
  ['puts the sender off', 450, '4.7.1 Server busy, try later'],
])(
  'a mail server that %s ends no channel and loses no message; an alarm says so until mails flow again',
  async (_what, responseCode, message) => {
    await givenEmail(database.db, holder, 'holder@example.com')
    await tell(feeSeen('1'))
    world.mail.on.refusal = { responseCode, message }
    for (let hour = 0; hour < 72; hour += 1) {
      await world.deliver()
      clock.advanceMs(3_600_000)
    }
    expect(await emailState()).toMatchObject({ state: 'confirmed', problem: null })
    const [alarm, ...others] = await openAlarms(database.db)
    expect([alarm?.kind, alarm?.message, others.length]).toEqual([
      ...['messages.failing', expect.stringContaining(`answered ${responseCode}`), 0],
    ])
    expect(alarm?.message).not.toContain('holder@')
    world.mail.on.refusal = null
    await world.deliver()
    expect((await mails()).map(({ to }) => to)).toEqual([['holder@example.com']])
    expect(await openAlarms(database.db)).toEqual([])
  },
)
