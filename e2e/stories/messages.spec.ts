import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type MailServer, startMailServer } from '../support/mail-server.ts'
import {
  deliverPush,
  type PushService,
  recordShown,
  replacePush,
  startPushService,
  subscribesAt,
} from '../support/push-browser.ts'
import { part, toast } from '../support/screens.ts'
import { test as base, expect } from '../support/test.ts'

const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** The product sends its mails through a real mail server; pushes go to a stand-in for the browser vendor's service. */
const test = base.extend<object, { mails: MailServer; pushes: PushService }>({
  mails: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from a pattern
    async ({}, use) => {
      const server = await startMailServer()
      await use(server)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  pushes: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const service = await startPushService()
      await use(service)
      await service.stop()
    },
    { scope: 'worker' },
  ],
  productEnv: [({ mails }, use) => use({ SMTP_URL: mails.url }), { scope: 'worker' }],
})

type Settings = { email: { state: string } | null }
const settingsOf = (holder: OutsideHolder) => holder.call<Settings>('GET', '/api/user/messages')
const tick = (page: Page, name: string) => page.getByRole('checkbox', { name })
/** Changes a choice and waits until it is stored: the page shows it before that. */
async function choose(page: Page, name: string): Promise<void> {
  const stored = page.waitForResponse(/\/api\/user\/messages\/choices$/)
  await tick(page, name).click()
  expect((await stored).status()).toBe(200)
}

/** Finds the link in a mail whose path begins with this one. @returns its path and query @throws Error without one */
function linkIn(mail: string, path: string): string {
  const found = new RegExp(`https?://[^\\s/]+(${path}\\?token=[\\w-]+)`).exec(mail)?.[1]
  if (found === undefined) throw new Error(`No link to ${path} in:\n${mail}`)
  return found
}

test('opening the link in the mail changes nothing; a press on its page confirms the address, even signed out on a phone; choices are saved', async ({
  visit,
  product,
  mails,
}) => {
  const holder = await product.holder({ email: 'ayu@example.org' })
  const { page } = await visit({ as: holder, path: '/user' })
  await page.getByRole('link', { name: 'Messages' }).click()
  const email = part(page, 'E-mail')
  await expect(email.getByRole('textbox', { name: 'E-mail address' })).toHaveValue(
    'ayu@example.org',
  )
  await email.getByRole('button', { name: 'Send the confirmation' }).click()
  await expect(email.getByText(/^Confirmation sent to ayu@example\.org\./)).toBeVisible()
  const path = linkIn(await mails.mail('ayu@example.org', '/confirm-email'), '/confirm-email')

  const phone = await visit({ path, context: PHONE })
  const confirm = phone.page.getByRole('button', { name: 'Confirm this address' })
  await expect(confirm).toBeVisible()
  expect((await settingsOf(holder)).email?.state).toBe('unconfirmed')
  await confirm.click()
  await expect(phone.page.getByText('Your e-mail address is confirmed.')).toBeVisible()

  await expect(email.getByText('Messages go to ayu@example.org.')).toBeVisible()
  await email.getByRole('button', { name: 'Send me a test message' }).click()
  await expect(toast(page, 'The test message is on its way.')).toBeVisible()
  await mails.mail('ayu@example.org', 'Messages about your account will reach you this way.')

  await choose(page, 'A reward was sent: E-mail')
  await expect(tick(page, 'A reward was sent: E-mail')).not.toBeChecked()
  await page.reload()
  await expect(tick(page, 'A reward was sent: E-mail')).not.toBeChecked()
  await expect(tick(page, 'An earning is frozen, or loses rewards: E-mail')).toBeChecked()
})

test('the link in a mail unsubscribes from its kind after a press, even signed out; the choice is saved', async ({
  visit,
  product,
  mails,
}) => {
  const holder = await product.holder({ email: 'budi@example.org' })
  await holder.call('PUT', '/api/user/messages/email', {
    address: 'budi@example.org',
    language: 'en',
  })
  const [, token] = linkIn(
    await mails.mail('budi@example.org', '/confirm-email'),
    '/confirm-email',
  ).split('=')
  await holder.call('POST', '/api/messages/confirm-email', { token })

  // A login from a browser that the service does not know triggers a message.
  const { page } = await visit({ as: holder, isSignedIn: false, path: '/login' })
  await page.getByText(holder.address).first().waitFor()
  await page.getByRole('button', { name: 'Login', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: /^Welcome/ })).toBeVisible()
  const path = linkIn(await mails.mail('budi@example.org', '/unsubscribe'), '/unsubscribe')

  await page.goto('/messages')
  const kind = 'Login from a new device'
  await expect(tick(page, `${kind}: E-mail`)).toBeChecked()
  const phone = await visit({ path, context: PHONE })
  await expect(phone.page.getByText(`You receive e-mails of this kind: ${kind}.`)).toBeVisible()
  await page.reload()
  await expect(tick(page, `${kind}: E-mail`)).toBeChecked()
  await phone.page.getByRole('button', { name: 'Stop these e-mails' }).click()
  await expect(
    phone.page.getByText(`You no longer receive e-mails of this kind: ${kind}.`),
  ).toBeVisible()

  await page.reload()
  await expect(tick(page, `${kind}: E-mail`)).not.toBeChecked()
  await expect(tick(page, `${kind}: Your devices`)).toBeChecked()
  await choose(page, 'A reward was sent: E-mail')
  await choose(page, `${kind}: E-mail`)
  await page.reload()
  await expect(tick(page, 'A reward was sent: E-mail')).not.toBeChecked()
  await expect(tick(page, `${kind}: E-mail`)).toBeChecked()
})

test('when the permission is blocked, the page explains what to do', async ({ visit, product }) => {
  const holder = await product.holder()
  const { page } = await visit({ as: holder, hasServiceWorker: true, path: '/messages' })
  const device = part(page, 'This device')
  await expect(device.getByText(/^Your browser blocks messages from this site\./)).toBeVisible()
})

test('after a press this device subscribes at a stand-in push service, its service worker shows each delivered message once, and choices are saved', async ({
  visit,
  product,
  pushes,
}) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    hasServiceWorker: true,
    path: '/messages',
    context: { permissions: ['notifications'] },
    before: (fresh) => subscribesAt(fresh, `${pushes.url}/send/1`),
  })
  const device = part(page, 'This device')
  await device.getByRole('button', { name: 'Turn on here' }).click()
  await expect(device.getByText('Messages appear on this device.')).toBeVisible()
  await device.getByRole('button', { name: 'Send me a test message' }).click()
  await expect.poll(() => pushes.received).toHaveLength(1)
  expect(pushes.received[0]).toMatchObject({
    path: '/send/1',
    headers: { 'content-encoding': 'aes128gcm' },
  })

  const shown = await recordShown(page)
  const message = {
    id: 'm-1',
    kind: 'frozen',
    title: 'Frozen',
    body: 'Claim now.',
    url: '/dashboard',
  }
  const once = { title: 'Frozen', body: 'Claim now.', tag: 'm-1', data: '/dashboard' }
  await deliverPush(page, message)
  await expect.poll(shown).toEqual([{ ...once, silent: false }])
  await deliverPush(page, message)
  await deliverPush(page, { ...message, id: 'm-2' })
  await expect.poll(shown).toEqual([
    { ...once, silent: true },
    { ...once, tag: 'm-2', silent: false },
  ])

  await choose(page, 'A reward was sent: Your devices')
  await choose(page, 'An earning is frozen, or loses rewards: Your devices')
  await expect(tick(page, 'An earning is frozen, or loses rewards: Your devices')).not.toBeChecked()
  await page.reload()
  await expect(device.getByText('Messages appear on this device.')).toBeVisible()
  await expect(tick(page, 'A reward was sent: Your devices')).not.toBeChecked()
  await expect(tick(page, 'An earning is frozen, or loses rewards: Your devices')).not.toBeChecked()
  await expect(tick(page, 'A reward was sent: E-mail')).toBeChecked()

  await device.getByRole('button', { name: 'Turn off here' }).click()
  await expect(device.getByRole('button', { name: 'Turn on here' })).toBeVisible()
  expect((await holder.call<{ push: unknown[] }>('GET', '/api/user/messages')).push).toEqual([])
})

test('a browser that replaces its subscription reports the new one to the service automatically', async ({
  visit,
  product,
  pushes,
}) => {
  const holder = await product.holder()
  const { page } = await visit({
    as: holder,
    hasServiceWorker: true,
    path: '/messages',
    context: { permissions: ['notifications'] },
    before: (fresh) => subscribesAt(fresh, `${pushes.url}/send/former`),
  })
  const device = part(page, 'This device')
  await device.getByRole('button', { name: 'Turn on here' }).click()
  await expect(device.getByText('Messages appear on this device.')).toBeVisible()
  const endpoints = async () => {
    const { push } = await holder.call<{ push: { endpoint: string }[] }>(
      'GET',
      '/api/user/messages',
    )
    return push.map(({ endpoint }) => endpoint)
  }
  await replacePush(page, `${pushes.url}/send/renewed`)
  expect(await endpoints()).toEqual([`${pushes.url}/send/renewed`])
})
