import type { Page } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { dismissToast, storedToken, toast, untilLoaded } from '../support/screens.ts'
import {
  injectQuietWallet,
  installStrangeWallet,
  pollTimesOf,
  timesAsked,
} from '../support/strange-wallets.ts'
import { acceptSignatures, messageFor } from './support/sign-in.ts'
import { addressOfRole, expect, type PageVisit, test, tokenOf } from './support/test.ts'

const LOGIN = 'POST /api/auth/login'
const LOGIN_PATH = '/api/auth/login'
const NOT_DETECTED = 'Tronlink is not detected. Please install tronlink first!'
const SUCCEEDED = 'LOGIN SUCCESSFUL!Directing to the dashboard...'
const FAILED = 'An error occurs when logging in.Try again later.'
const NO_ANSWER = 'Tronlink does not respond.Make sure you have logged in on Tronlink.'
const ADDRESS = addressOfRole('user')

const loginButton = (page: Page) => page.getByRole('button', { name: 'Login', exact: true })
const connectButton = (page: Page) => page.getByRole('button', { name: 'Connect the tronlink' })

test('[LOGIN-01, LOGIN-05, LOGIN-06, ERR-03] the title, a warning without a wallet, connecting without the extension, and the link to the registration', async ({
  visit,
}) => {
  const { page } = await visit()
  await expect(
    page.getByRole('heading', { level: 1, name: 'Login with Tronlink', exact: true }),
  ).toBeVisible()
  await expect(page.getByRole('alert').getByText(NOT_DETECTED)).toBeVisible()
  await connectButton(page).click()
  await expect(toast(page, 'Please install tronlink first!')).toBeVisible()
  await page.getByRole('button', { name: 'Register new accounts', exact: true }).click()
  await expect(page).toHaveURL(/\/register$/)
})

test('[LOGIN-06, LOGIN-07] without a connected wallet nothing is sent, and an installed one causes no warning', async ({
  visit,
}) => {
  const { page, calls } = await visit({ wallet: 'unconnected', hasOwnClock: true })
  await expect(page.getByText('TronLink is not connected')).toBeVisible()
  await page.clock.fastForward(10_000)
  await loginButton(page).click()
  await expect(toast(page, 'Wallet has not been connected!')).toBeVisible()
  expect(calls.filter((call) => call.path.startsWith('/api/auth/'))).toEqual([])
  await expect(page.getByText(NOT_DETECTED)).toHaveCount(0)
})

test('[LOGIN-02] the wallet is polled every 3 seconds, so a later address is picked up', async ({
  visit,
}) => {
  const { page } = await visit({ hasOwnClock: true })
  await expect(page.getByText(NOT_DETECTED)).toBeVisible()
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await injectQuietWallet(page, ADDRESS)
  await expect(page.getByText(ADDRESS)).toHaveCount(0)
  await page.clock.runFor(3_000)
  await expect(page.getByText(ADDRESS)).toBeVisible()

  await page.clock.runFor(9_000)
  const polls = await pollTimesOf(page)
  const pauses = polls.slice(1).map((time, index) => time - (polls[index] ?? 0))
  expect(pauses.slice(-3)).toEqual([3_000, 3_000, 3_000])
})

test('[LOGIN-03, LOGIN-04, LOGIN-08, LOGIN-11, SESS-01, API-02, API-03] a holder connects, signs and is logged in; the login sends no token, later calls send the stored one', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const { page, calls, wallet } = await visit({ wallet: 'unconnected' })
  await expect(connectButton(page)).toBeVisible()
  const buttons = await page.getByRole('main').getByRole('button').allInnerTexts()
  const steps = ['Connect the tronlink', 'Login']
  expect(buttons.filter((name) => steps.includes(name))).toEqual(steps)
  await connectButton(page).click()
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await expect(connectButton(page)).toHaveCount(0)

  await loginButton(page).click()
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  expect(wallet.asked).toEqual([
    { what: 'connect' },
    { what: 'signMessage', text: messageFor('login', ADDRESS) },
  ])
  const [login] = callsOf(calls, 'POST', LOGIN_PATH)
  expect(login?.body).toMatchObject({ tron_address: ADDRESS })
  expect(login?.headers.authorization).toBeUndefined()
  expect(await storedToken(page)).toBe(tokenOf('user'))
  await expect(page).toHaveURL(/\/dashboard$/)
  await expect.poll(() => callsOf(calls, 'GET', '/api/user/earnings').length).toBeGreaterThan(0)
  const toService = (all: readonly Call[]) => all.filter(({ path }) => path.startsWith('/api/'))
  const afterwards = calls.slice(calls.indexOf(login as Call) + 1)
  const own = new Set([`Bearer ${tokenOf('user')}`])
  expect(tokensOf(toService(afterwards))).toEqual(own)

  // After a reload, a signed-in page sends the token with every call, even with those that do not need it.
  calls.length = 0
  await page.reload()
  for (const path of ['/api/config', '/api/auth/me', '/api/user/earnings']) {
    await expect.poll(() => callsOf(calls, 'GET', path).length, path).toBeGreaterThan(0)
  }
  await untilLoaded(page)
  expect(tokensOf(toService(calls))).toEqual(own)
})

test('[API-03] login and registration send no token even if one is stored', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const storage = { authToken: tokenOf('user') }
  const { page, calls } = await visit({ wallet: 'connected', storage, path: '/register' })
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await page.getByLabel('E-mail').fill('person@example.org')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  await page.getByRole('button', { name: 'Register Now', exact: true }).click()
  await expect(toast(page, 'Successful registration!Please login.')).toBeVisible()
  await page.goto('/login')
  await expect(page.getByText(ADDRESS)).toBeVisible()
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

test('[LOGIN-08, LOGIN-09] the dashboard opens 2 seconds after the success', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const { page } = await visit({ wallet: 'connected', hasOwnClock: true })
  await expect(page.getByText(ADDRESS)).toBeVisible()
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

test('[LOGIN-10] an admin is taken to the admin dashboard', async ({ visit, world }) => {
  acceptSignatures(world, 'admin')
  const { page } = await visit({ wallet: 'connected' })
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await loginButton(page).click()
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})

test("[LOGIN-12, ERR-02] the server's message takes precedence, and a wallet that is not registered is led to the registration", async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  world.refuse(LOGIN, 'NOT_REGISTERED')
  const { page } = await visit({ wallet: 'connected', tolerates: FAILED_CALLS })
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await loginButton(page).click()
  await expect(
    toast(page, 'This wallet is not registered yet. Please register first.'),
  ).toBeVisible()
  expect(await storedToken(page)).toBeNull()
  await expect(page).toHaveURL(/\/register$/)
  await expect(page.getByText(ADDRESS)).toBeVisible()
})

test('[LOGIN-12, LOGIN-13, ERR-02] the fallback is shown without an answer or its message, and a response without a token logs nobody in', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const { page } = await visit({ wallet: 'connected', tolerates: FAILED_CALLS })
  await expect(page.getByText(ADDRESS)).toBeVisible()
  const fails = async (words: string) => {
    await loginButton(page).click()
    await expect(toast(page, words)).toBeVisible()
    expect(await storedToken(page)).toBeNull()
    await dismissToast(page, words.slice(0, 10))
  }
  world.breakDown(LOGIN)
  await fails(FAILED)
  await page.route(`**${LOGIN_PATH}`, (route) => route.abort())
  await fails(FAILED)
  await page.unrouteAll()
  world.mend(LOGIN)
  world.answer(LOGIN, { status: 200, text: '{}' })
  await fails('Login Fail!Check your account again.')
  await expect(page.getByRole('button', { name: 'Logout' })).toHaveCount(0)
})

test('without a wallet, a phone is first offered to open the page in the wallet’s app, a desktop to install one', async ({
  visit,
}) => {
  const offers = (page: Page) =>
    page.getByRole('alert').getByRole('link').and(page.locator(':visible'))
  const desktop = await visit()
  await expect(offers(desktop.page)).toHaveText(['Get TronLink'])
  const phone = await visit({ context: { isMobile: true, hasTouch: true } })
  await expect(offers(phone.page)).toHaveText([
    'Open this page in the TronLink app',
    'Get TronLink',
  ])
})

test('[SESS-02] a stored token restores the session after a reload', async ({ visit }) => {
  const { page, calls } = await visit({ as: 'user', path: '/dashboard' })
  const welcome = page.getByRole('heading', { level: 1, name: /^Welcome, / })
  await expect(welcome).toBeVisible()
  const before = calls.length
  await page.reload()
  await expect(welcome).toBeVisible()
  const [me] = callsOf(calls.slice(before), 'GET', '/api/auth/me')
  expect(me?.headers.authorization).toBe(`Bearer ${tokenOf('user')}`)
})

test('[SESS-03] an invalid token is removed when the page loads', async ({ visit }) => {
  const { page } = await visit({
    ...{ storage: { authToken: 'A'.repeat(43) }, path: '/dashboard', tolerates: FAILED_CALLS },
  })
  await expect(page).toHaveURL(/\/login$/)
  expect(await storedToken(page)).toBeNull()
  await expect(page.getByRole('navigation', { name: 'Main' }).getByRole('link')).toHaveText([
    'Login',
  ])
})

test('[ERR-04] a wallet that shows no account after connecting', async ({ visit }) => {
  const { page } = await visit({ before: (fresh) => installStrangeWallet(fresh, 'empty') })
  await connectButton(page).click()
  await expect(
    toast(page, 'Tronlink does not provide account access.Make sure you are logged in.'),
  ).toBeVisible()
})

/** Presses "Connect", then advances the page's clock to just before and past the last attempt. */
async function runOutOfTries({ page, toasts }: Pick<PageVisit, 'page' | 'toasts'>) {
  await page.clock.pauseAt(new Date(Date.now() + 60_000))
  await connectButton(page).click()
  for (let second = 0; second < 9; second += 1) await page.clock.runFor(1_000)
  expect(toasts).toEqual([])
  await page.clock.runFor(1_100)
  await expect(toast(page, NO_ANSWER)).toBeVisible()
}

test('[ERR-05, FEE-20] a failing wallet is asked again every second, ten times in total', async ({
  visit,
}) => {
  const visited = await visit({
    hasOwnClock: true,
    before: (fresh) => installStrangeWallet(fresh, 'failing'),
  })
  const { page } = visited
  await runOutOfTries(visited)
  const asked = await timesAsked(page)
  expect(asked).toHaveLength(10)
  expect(asked.slice(1).map((time, index) => time - (asked[index] ?? 0))).toEqual(
    Array.from({ length: 9 }, () => 1_000),
  )
  await page.clock.runFor(30_000)
  expect(await timesAsked(page)).toHaveLength(10)
})

test('[ERR-05, FEE-20] a silent wallet is abandoned after ten seconds', async ({ visit }) => {
  const visited = await visit({
    hasOwnClock: true,
    before: (fresh) => installStrangeWallet(fresh, 'silent'),
  })
  await runOutOfTries(visited)
  const { page } = visited
  await connectButton(page).click()
  await page.clock.runFor(100)
  await page.getByRole('button', { name: 'Stop waiting' }).click()
  await page.clock.runFor(100)
  await expect(connectButton(page), 'the wait can be ended at once').toBeEnabled()
})

test('[ERR-06] a signature is requested from a wallet that has been disconnected', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const { page, calls, wallet } = await visit({ wallet: 'connected' })
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await page.route('**/api/auth/challenge', async (route) => {
    await wallet.showAccount(undefined)
    await route.continue()
  })
  await loginButton(page).click()
  await expect(toast(page, 'TronLink is not connected. Please connect your wallet.')).toBeVisible()
  expect(callsOf(calls, 'POST', LOGIN_PATH)).toEqual([])
})

test('a wallet that appears too long after the press is not asked to sign', async ({ visit }) => {
  const { page, calls } = await visit()
  await loginButton(page).click()
  await expect(toast(page, 'Wallet has not been connected!')).toBeVisible()
  await expect(loginButton(page)).toBeEnabled()
  await injectQuietWallet(page, ADDRESS)
  await expect(page.getByText(ADDRESS)).toBeVisible()
  expect(callsOf(calls, 'POST', '/api/auth/challenge')).toEqual([])
})

test('a message says that the session has ended, and the login returns to the page where it ended, in every tab', async ({
  visit,
  world,
}) => {
  acceptSignatures(world)
  const path = '/referrals?rewards.order=desc'
  const { page } = await visit({
    ...{ as: 'user', wallet: 'connected', path, tolerates: FAILED_CALLS },
  })
  await expect(page.getByRole('heading', { level: 1, name: 'Referral' })).toBeVisible()
  const other = await page.context().newPage()
  await other.goto('/dashboard')
  await expect(other.getByRole('heading', { level: 1, name: /^Welcome, / })).toBeVisible()
  world.refuse('GET /api/auth/me', 'NOT_SIGNED_IN')
  await page.reload()
  for (const open of [page, other]) {
    await expect(open.getByText('Your session has ended.')).toBeVisible()
  }
  await other.close()
  world.mend('GET /api/auth/me')
  await expect(page.getByText(ADDRESS)).toBeVisible()
  await loginButton(page).click()
  await expect(page).toHaveURL(/\/referrals\?rewards\.order=desc$/)
})

function tokensOf(calls: readonly Call[]): Set<string | undefined> {
  return new Set(calls.map(({ headers }) => headers.authorization))
}
