import { useChainHost } from '@dct/devnet/chains/testing/test-host'
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { raiseAlarm } from '../../platform/alarms/alarms.ts'
import { DAY_MS, realClock } from '../../platform/clock.ts'
import type { Loop } from '../../platform/loops/loop.ts'
import { everything } from '../../testing/all-tables.ts'
import { type RealApp, startRealApp } from '../../testing/real-app.ts'
import { call, devnet, givenRealHolder } from '../../testing/real-claims.ts'
import { startMailServer, startReceiver } from '../../testing/receivers.ts'
import { watchChanges } from '../../testing/watch-changes.ts'

/** How far the service's clock is ahead of that of the chains, which run in this process, too. */
const ahead = { ms: 0 }
const host = useChainHost(() => realClock.now().getTime() - ahead.ms)
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], shouldAdvanceTime: true }))
afterEach(() => vi.useRealTimers())

/**
 * They book days, and in a devnet, whose time is moved, nothing but the guard of the clocks keeps them from days that
 * have not come: the hostile surroundings test it.
 */
const BOOKS_DAYS = ['distributor', 'lapse of unclaimed rewards', 'capital release']

/** Written once for an installation. */
const ONCE = ['distribution_cursor', 'wallet_opening']

/** Everything that the loops do in some hours of a holder's and an admin's day: the tables that each changes. */
async function workOf(real: RealApp, changes: Awaited<ReturnType<typeof watchChanges>>) {
  const found = new Map<string, Set<string>>()
  const admin = await real.givenUser({ role: 'admin' })
  const holder = await givenRealHolder(real, host())
  const alarm = { kind: 'payout.stuck', subject: `${holder.id}`, message: 'A test.' } as const
  await raiseAlarm(real.context.db, { ...alarm, at: realClock.now() })
  await call(real, admin, {
    ...{ method: 'POST', url: '/admin/money-settings', payload: { name: 'price', value: '1.00' } },
  })
  await changes.take()
  for (const minutes of [0, 1, 30, 60, 60]) {
    vi.setSystemTime(realClock.now().getTime() + minutes * 60_000)
    await host().control.finalize()
    for (const loop of real.loops) {
      await stepOften(loop)
      const tables = found.get(loop.name) ?? new Set()
      for (const table of await changes.take()) if (!ONCE.includes(table)) tables.add(table)
      found.set(loop.name, tables)
    }
  }
  return found
}

async function stepOften(loop: Loop): Promise<void> {
  for (let step = 0; step < 20 && !(await loop.step()); step += 1);
  await loop.settled?.()
}

test('after a minute that was spent a year ahead, every loop and every job does what it did before', async () => {
  const [mail, telegram, hook, deadMan] = [
    await startMailServer(),
    await startReceiver(),
    await startReceiver(),
    await startReceiver(),
  ]
  telegram.on.request = (response, { path }) =>
    response.end(path.endsWith('getMe') ? BOT : '{"ok":true,"result":[]}')
  const real = await startRealApp(host(), {
    ...{ SMTP_URL: mail.url, SMTP_FROM: 'dct@example.org', ALARM_EMAILS: 'ops@example.org' },
    ...{ TELEGRAM_API_URL: telegram.url, TELEGRAM_BOT_TOKEN: '1:ops', TELEGRAM_CHAT_ID: '-42' },
    ...{ HOLDER_TELEGRAM_BOT_TOKEN: '2:holders', ALARM_WEBHOOKS: `${hook.url}/a` },
    WEBHOOK_SECRETS: `whsec_${Buffer.alloc(24, 1).toString('base64')}`,
    ...{ DEAD_MAN_CHAINS_URL: `${deadMan.url}/c`, DEAD_MAN_AUDIT_URL: `${deadMan.url}/a` },
  })
  onTestFinished(() => real.stop())
  await devnet(real, 'settle')
  const { db } = real.context
  const changes = await watchChanges(db)
  const jobs = async () =>
    await everything(db).selectFrom('job').select(['queue', 'run_at']).execute()
  const before = await workOf(real, changes)
  const asked = () => [telegram, hook, deadMan].map(({ received }) => received.length)

  const right = realClock.now().getTime()
  ahead.ms = 365 * DAY_MS
  vi.setSystemTime(right + ahead.ms)
  await host().control.finalize()
  for (const loop of real.loops) {
    // Some refuse to work with such a time.
    if (!BOOKS_DAYS.includes(loop.name)) await stepOften(loop).catch(() => undefined)
  }
  ahead.ms = 0
  vi.setSystemTime(right + 60_000)
  const askedThen = asked()

  const after = await workOf(real, changes)
  const lost = [...before].flatMap(([name, tables]) =>
    [...tables].filter((table) => !after.get(name)?.has(table)).map((table) => `${name}: ${table}`),
  )
  expect(lost).toEqual([])
  expect([...before.values()].filter((tables) => tables.size > 0).length).toBeGreaterThan(10)
  const askedAgain = asked().map((count, index) => count - (askedThen[index] ?? 0))
  expect(askedAgain.filter((count) => count === 0)).toEqual([])
  // Nothing waits for a time that the wrong clock has named.
  const soon = real.context.clock.now().getTime() + 32 * DAY_MS
  expect((await jobs()).filter(({ run_at }) => run_at.getTime() > soon)).toEqual([])
}, 300_000)

const BOT = '{"ok":true,"result":{"username":"dct_bot"}}'
