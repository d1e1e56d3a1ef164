import type { Page } from '@playwright/test'
import type { OutsideHolder } from '../outside/outside-client.ts'
import { type Call, callsOf } from '../support/calls.ts'
import { alter, breakDown, cutOff, FAILED_CALLS, refuse } from '../support/provoke.ts'
import { dismissToast, storedToken, toast, untilLoaded } from '../support/screens.ts'
import { injectQuietWallet, pollTimesOf } from '../support/strange-wallets.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet, walletQuestion } from '../support/wallet.ts'

const LOGIN_PATH = '/api/auth/login'
const NOT_DETECTED = 'Tronlink is not detected. Please install tronlink first!'
const SUCCEEDED = 'LOGIN SUCCESSFUL!Directing to the dashboard...'

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
})

const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true })
const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect the tronlink' })

test('[LOGIN-01, LOGIN-05, LOGIN-06] the title, a warning without a wallet, and the link to the registration', async ({
  visit,
}) => {
  const { page } = await visit()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Login with Tronlink', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('alert').getByText(NOT_DETECTED)).toBeVisible()
  await page.getByRole('button', { name: 'Register new accounts', exact: true }).click()
  await expect(page).toHaveURL(/\/register$/)
})

test('[LOGIN-06, LOGIN-07] without a connected wallet nothing is sent, and an installed one causes no warning', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, isSignedIn: false, wallet: 'unconnected' })
  await expect(page.getByText('TronLink is not connected')).toBeVisible()
  await loginButton(page).click()
  await expect(toast(page, 'Wallet has not been connected!')).toBeVisible()
  expect(calls.filter((call) => call.path.startsWith('/api/auth/'))).toEqual([])
  await page.clock.install()
  await page.clock.fastForward(10_000)
  await expect(page.getByText(NOT_DETECTED)).toHaveCount(0)
})

test('[LOGIN-02] the wallet is polled every 3 seconds, so a later address is picked up', async ({
  visit,
}) => {
  const { page } = await visit({ before: (fresh) => fresh.clock.install() })
  await expect(page.getByText(NOT_DETECTED)).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await injectQuietWallet(page, holder.address)
  await expect(page.getByText(holder.address)).toHaveCount(0)
  await page.clock.runFor(3_000)
  await expect(page.getByText(holder.address)).toBeVisible()

  await page.clock.runFor(9_000)
  const polls = await pollTimesOf(page)
  const pauses = polls.slice(1).map((time, index) => time - (polls[index] ?? 0))
  expect(pauses.slice(-3)).toEqual([3_000, 3_000, 3_000])
})

test('[LOGIN-03, LOGIN-04, LOGIN-08, LOGIN-11, SESS-01] a holder connects, signs and is logged in', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, isSignedIn: false, wallet: 'asking' })
  // The wallet has already authorised the site, so that is undone first.
  await page.evaluate(() => {
    const settings = JSON.parse(localStorage.getItem('developmentWalletSettings') ?? '{}')
    const disconnected = { ...settings, isConnected: false }
    localStorage.setItem('developmentWalletSettings', JSON.stringify(disconnected))
  })
  await page.reload()
  await expect(connectButton(page)).toBeVisible()
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
  const steps = ['Connect the tronlink', 'Login']
  expect(buttons.filter((name) => steps.includes(name))).toEqual(steps)
  await connectButton(page).click()
  await approveInWallet(page, 'Connect this site', page.url().split('/login')[0])
  await expect(page.getByText(holder.address)).toBeVisible()
  await expect(connectButton(page)).toHaveCount(0)

  await loginButton(page).click()
  await approveInWallet(page, 'Sign this message', holder.address)
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  const [login] = callsOf(calls, 'POST', LOGIN_PATH)
  expect(login?.body).toMatchObject({ tron_address: holder.address })
  const token = await storedToken(page)
  expect(token).toMatch(/^\S{20,}$/)
  await expect(page).toHaveURL(/\/dashboard$/)
  expect(await storedToken(page)).toBe(token)
})

test('[LOGIN-08, LOGIN-09] the dashboard opens 2 seconds after the success', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    isSignedIn: false,
    before: (fresh) => fresh.clock.install(),
  })
  await expect(page.getByText(holder.address)).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await loginButton(page).click()
  const success = toast(page, SUCCEEDED)
  await expect(async () => {
    await page.clock.runFor(20)
    await expect(success).toBeVisible({ timeout: 100 })
  }).toPass()
  await page.clock.runFor(1_900)
  await expect(page).toHaveURL(/\/login$/)
  await page.clock.runFor(100)
  await expect(page).toHaveURL(/\/dashboard$/)
})

test('[LOGIN-10] an admin is taken to the admin dashboard', async ({ visit, admin }) => {
  const { page } = await visit({ as: admin, isSignedIn: false })
  await expect(page.getByText(admin.address)).toBeVisible()
  await loginButton(page).click()
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})

test("[LOGIN-12, ERR-02] the server's message takes precedence, and a wallet that is not registered is led to the registration", async ({
  visit,
  product,
}) => {
  const stranger = await product.holder({ isRegistered: false })
  const { page } = await visit({ as: stranger, isSignedIn: false, tolerates: FAILED_CALLS })
  await expect(page.getByText(stranger.address)).toBeVisible()
  await loginButton(page).click()
  await expect(
    toast(page, 'This wallet is not registered yet. Please register first.'),
  ).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText(stranger.address)).toBeVisible()
})

test('without a wallet, a phone is first offered to open the page in the wallet’s app, a desktop to install one', async ({
  visit,
}) => {
  const offers = (page: Page) =>
    page.getByRole('alert').getByRole('link').and(page.locator(':visible'))
  const phone = await visit({ context: { isMobile: true, hasTouch: true } })
  await expect(offers(phone.page)).toHaveText([
    'Open this page in the TronLink app',
    'Get TronLink',
  ])
  const desktop = await visit()
  await expect(offers(desktop.page)).toHaveText(['Get TronLink'])
})

test('[LOGIN-12, LOGIN-13, ERR-02] the fallback is shown without an answer or its message, and a response without a token logs nobody in', async ({
  visit,
}) => {
  const { page } = await visit({ as: holder, isSignedIn: false, tolerates: FAILED_CALLS })
  await expect(page.getByText(holder.address)).toBeVisible()
  for (const provoke of [cutOff, breakDown]) {
    await provoke(page, LOGIN_PATH)
    await loginButton(page).click()
    await expect(toast(page, 'An error occurs when logging in.Try again later.')).toBeVisible()
    expect(await storedToken(page)).toBeNull()
    await dismissToast(page, 'An error occurs when logging in.')
    await page.unrouteAll()
  }
  await alter<{ token?: string }>(page, LOGIN_PATH, ({ token: _token, ...rest }) => rest)
  await loginButton(page).click()
  await expect(toast(page, 'Login Fail!Check your account again.')).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
})

test('[SESS-02] a stored token restores the session after a reload', async ({ visit }) => {
  const { page, calls } = await visit({ as: holder, wallet: 'absent', path: '/dashboard' })
  const welcome = page.getByRole('heading', { level: 1, name: /^Welcome, / })
  await expect(welcome).toBeVisible()
  const before = calls.length
  await page.reload()
  await expect(welcome).toBeVisible()
  const [me] = callsOf(calls.slice(before), 'GET', '/api/auth/me')
  expect(me?.headers.authorization).toBe(`Bearer ${holder.token}`)
})

test('a message says that the session has ended, and the login returns to the page where it ended', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const { page } = await visit({
    as: person,
    path: '/referrals?rewards.order=desc',
    tolerates: FAILED_CALLS,
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Referral' })).toBeVisible()
  await person.call('POST', '/api/auth/logout', {})
  await page.reload()
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await expect(page.getByText(person.address)).toBeVisible()
  await loginButton(page).click()
  await expect(page).toHaveURL(/\/referrals\?rewards\.order=desc$/)
})

test('every open page says that the session has ended, even one that is being reloaded', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const lateList = Promise.withResolvers<void>()
  const { page } = await visit({
    as: person,
    path: '/referrals',
    tolerates: FAILED_CALLS,
    waitUntil: 'commit',
    before: (fresh) =>
      fresh.route('**/api/auth/referrals?*', async (route) => {
        await lateList.promise
        await route.continue()
      }),
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Referral' })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeVisible()

  await page.route('**/referrals', async (route) => {
    await person.call('POST', '/api/auth/logout', {})
    lateList.resolve()
    await expect.poll(() => storedToken(other)).toBeNull()
    await route.continue()
  })
  await page.reload()
  for (const open of [page, other]) {
    await expect(open.getByText('Your session has ended.')).toBeVisible()
  }
  await loginButton(page).click()
  await expect(page).toHaveURL(/\/referrals$/)
})

test('[SESS-03] an invalid token is removed when the page loads', async ({ visit }) => {
  const { page } = await visit({
    storage: { authToken: 'A'.repeat(43) },
    path: '/dashboard',
    tolerates: FAILED_CALLS,
  })
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Login',
  ])
})

test('[SESS-03] when the user cannot be fetched at the start, the token is removed', async ({
  visit,
}) => {
  const { page } = await visit({
    as: holder,
    wallet: 'absent',
    path: '/register',
    tolerates: FAILED_CALLS,
    before: (fresh) => refuse(fresh, '/api/auth/me', 'Please log in again.'),
  })
  await expect(page.getByRole('link', { name: 'Login', exact: true })).toBeVisible()
  expect(await storedToken(page)).toBeNull()
})

test('[API-02, API-03] login sends no token, later calls send the stored one', async ({
  visit,
}) => {
  const { page, calls } = await visit({ as: holder, isSignedIn: false, wallet: 'asking' })
  await expect(page.getByText(holder.address)).toBeVisible()
  await loginButton(page).click()
  await approveInWallet(page, 'Sign this message')
  await expect(walletQuestion(page, 'Sign this message')).toHaveCount(0)
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => callsOf(calls, 'GET', '/api/user/earnings').length).toBeGreaterThan(0)

  const token = await storedToken(page)
  const toService = calls.filter((call) => call.path.startsWith('/api/'))
  const [login] = callsOf(toService, 'POST', LOGIN_PATH)
  expect(login?.headers.authorization).toBeUndefined()
  const afterwards = toService.slice(toService.indexOf(login as Call) + 1)
  expect(tokensOf(afterwards)).toEqual(new Set([`Bearer ${token}`]))

  // After a reload, a signed-in page sends the token with every call, even with those that do not need it.
  calls.length = 0
  await page.reload()
  for (const path of ['/api/config', '/api/auth/me', '/api/user/earnings']) {
    await expect.poll(() => callsOf(calls, 'GET', path).length, path).toBeGreaterThan(0)
  }
  await untilLoaded(page)
  const all = calls.filter((call) => call.path.startsWith('/api/'))
  expect(tokensOf(all)).toEqual(new Set([`Bearer ${token}`]))
})

test('[API-03] login and registration send no token even if one is stored', async ({
  visit,
  product,
}) => {
  const person = await product.holder({ isRegistered: false })
  const storage = { authToken: holder.token }
  const { page, calls } = await visit({ as: person, isSignedIn: false, storage, path: '/register' })
  await expect(page.getByText(person.address)).toBeVisible()
  await page.getByLabel('E-mail').fill('person@example.org')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await page.getByRole('button', { name: 'Register Now', exact: true }).click()
  await expect(toast(page, 'Successful registration!Please login.')).toBeVisible()
  await page.goto('/login')
  expect(await storedToken(page)).toBe(holder.token)
  await expect(page.getByText(person.address)).toBeVisible()
  await loginButton(page).click()
  await expect(toast(page, SUCCEEDED)).toBeVisible()

  const signing = calls.filter(({ method, path }) => method === 'POST' && path.includes('/auth/'))
  expect(signing.map(({ path, headers }) => [path, headers.authorization])).toEqual([
    ['/api/auth/challenge', undefined],
    ['/api/auth/register', undefined],
    ['/api/auth/challenge', undefined],
    ['/api/auth/login', undefined],
  ])
})

function tokensOf(calls: readonly Call[]): Set<string | undefined> {
  return new Set(calls.map(({ headers }) => headers.authorization))
}
