import { expect, test } from 'vitest'
import { inTransaction } from '../../platform/database/db.ts'
import { useTestDatabase } from '../../testing/database.ts'
import { freshMessages, givenEmail, readMail } from '../../testing/messages-world.ts'
import { noteDevice } from './index.ts'

const database = useTestDatabase()

const CHROME = (version: string) =>
  `Mozilla/5.0 (Linux; Android 14; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version} Mobile Safari/537.36`
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

test('a holder is notified of a new device once, but not of the first one or of a new browser version', async () => {
  const { clock, world, holder } = await freshMessages(database.db)
  await givenEmail(database.db, holder, 'holder@example.com')
  const signIn = async (userAgent: string, device?: string) => {
    clock.advanceMs(60_000)
    const client = { ip: '203.0.113.7', userAgent, device }
    await inTransaction(database.db, (tx) =>
      noteDevice(tx, { userId: holder.id, client, at: clock.now() }),
    )
    await world.deliver()
    return world.mail.mails.length
  }
  const counts = [
    await signIn(CHROME('142.0.0.0')),
    await signIn(CHROME('143.0.0.0')),
    await signIn(FIREFOX),
    await signIn(FIREFOX),
    await signIn(CHROME('143.0.0.0'), 'a-browser-of-its-own'),
    await signIn(CHROME('144.0.0.0'), 'a-browser-of-its-own'),
    await signIn(CHROME('144.0.0.0'), 'another-browser-here'),
  ]
  expect(counts).toEqual([0, 0, 1, 1, 2, 2, 3])
  const [first] = world.mail.mails
  if (first === undefined) throw new Error('nothing was sent')
  const { subject, body, source } = await readMail(first)
  expect(subject).toBe('DCT Earning: New login to your account')
  expect(body).toContain('Firefox, Windows, network 203.0.113.0/24, 10 Jan 2026, 12:03 UTC+7')
  expect(source).toMatch(/^List-Unsubscribe-Post: /m)
})
