import type { Page } from '@playwright/test'
import { type Call, callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { dismissToast, toast } from '../support/screens.ts'
import { acceptSignatures, messageFor } from './support/sign-in.ts'
import { addressOfRole, expect, test } from './support/test.ts'

const REGISTER = 'POST /api/auth/register'
const REGISTER_PATH = '/api/auth/register'
const SUCCEEDED = 'Successful registration!Please login.'
const ADDRESS = addressOfRole('user')
const REFERRER = addressOfRole('admin')

test.beforeEach(({ world }) => acceptSignatures(world))

function formOf(page: Page) {
  return {
    email: page.getByLabel('E-mail'),
    code: page.getByLabel('Referral code (optional)'),
    terms: page.getByRole('checkbox', { name: 'I accept the terms and conditions' }),
    submit: page.getByRole('button', { name: 'Register Now', exact: true }),
    wallet: page.getByRole('region', { name: 'Wallet address' }),
  }
}

function expectNothingSent(calls: readonly Call[]) {
  expect(calls.filter((call) => call.path.startsWith('/api/auth/'))).toEqual([])
}

test('[REG-01] the wallet address shows once the wallet is connected', async ({ visit }) => {
  const { page, wallet: asked } = await visit({ wallet: 'unconnected', path: '/register' })
  const { wallet } = formOf(page)
  await expect(wallet.getByText('TronLink is not connected')).toBeVisible()
  await expect(wallet).not.toContainText(ADDRESS)
  await wallet.getByRole('button', { name: 'Connect the tronlink' }).click()
  await expect(wallet).toContainText(ADDRESS)
  expect(asked.asked).toEqual([{ what: 'connect' }])
})

test('[REG-02, REG-03, REG-07, REG-09, REG-10, REG-11, REG-12] the form, with its button disabled until the terms are accepted; without a connected wallet nothing is sent', async ({
  visit,
}) => {
  const { page, calls } = await visit({ path: '/register' })
  const form = formOf(page)
  await expect(form.email).toHaveAttribute('type', 'email')
  await expect(form.code).toBeEditable()
  await expect(form.terms).not.toBeChecked()
  await expect(form.submit).toBeDisabled()
  await form.terms.check()
  await expect(form.submit).toBeEnabled()
  await form.email.fill('someone@example.org')
  await form.submit.click()
  await expect(toast(page, 'Wallet has not been connected!')).toBeVisible()
  expectNothingSent(calls)
  await form.terms.uncheck()
  await expect(form.submit).toBeDisabled()
  await page.getByRole('link', { name: 'Back to login', exact: true }).click()
  await expect(page).toHaveURL(/\/login$/)
})

test('[REG-04, REG-05] the code of a referral link is filled in and remembered', async ({
  visit,
}) => {
  const { page } = await visit({ path: '/register?ref=ABCD2345' })
  await expect(formOf(page).code).toHaveValue('ABCD2345')
  await page.goto('/login')
  await page.goto('/register')
  await expect(formOf(page).code).toHaveValue('ABCD2345')
  expect(await page.evaluate(() => Object.values(localStorage))).toContain('ABCD2345')
  await page.goto('/register?ref=WXYZ6789')
  await expect(formOf(page).code).toHaveValue('WXYZ6789')
  await page.goto('/register?ref=ABCD23')
  await expect(formOf(page).code).toHaveValue('WXYZ6789')
  await expect(page.getByText('The code of your earlier link is filled in.')).toBeVisible()
  await page.goto('/register%3Fref%3Dabcd2345)%20join')
  await expect(formOf(page).code).toHaveValue('ABCD2345')
  await formOf(page).code.fill('my link: https://earn.example/register?ref=wxyz6789.')
  await formOf(page).email.fill('Sari <sari@example.org>;')
  await formOf(page).code.focus()
  await formOf(page).email.focus()
  await expect(formOf(page).code).toHaveValue('WXYZ6789')
  await expect(formOf(page).email).toHaveValue('sari@example.org')
  const other = await visit({ path: '/register?ref=ABCD23' })
  await expect(formOf(other.page).code).toHaveValue('')
  await expect(other.page.getByText('Ask for the link again')).toBeVisible()
})

test("[REG-06, REG-16, REG-17, REG-18, REG-19, REG-20] registration without a code; with one the referrer's address is shown, and the login opens after 4 seconds", async ({
  visit,
  world,
}) => {
  const { page, calls, wallet } = await visit({ wallet: 'connected', path: '/register' })
  const form = formOf(page)
  await expect(form.wallet).toContainText(ADDRESS)
  await form.email.fill('someone@example.org')
  await form.terms.check()
  await form.submit.click()
  await expect(toast(page, SUCCEEDED)).toBeVisible()
  expect(wallet.asked).toEqual([{ what: 'signMessage', text: messageFor('register', ADDRESS) }])
  const [call] = callsOf(calls, 'POST', REGISTER_PATH)
  expect(call?.headers.authorization).toBeUndefined()
  expect(call?.body).toMatchObject({ email: 'someone@example.org', accept_terms: true })
  expect(call?.body).not.toHaveProperty('referrer_code')
  await expect(page.locator('main')).toContainText('ABCD2345')

  world.answer(REGISTER, {
    ...{ message: 'Successful registration', referral_code: 'ABCD2345' },
    referrer_tron_address: REFERRER,
  })
  const path = '/register?ref=WXYZ6789'
  const later = await visit({ wallet: 'connected', path, hasOwnClock: true })
  const second = formOf(later.page)
  await expect(second.wallet).toContainText(ADDRESS)
  await second.email.fill('someone@example.org')
  await second.terms.check()
  await later.page.clock.pauseAt(new Date(Date.now() + 60_000))
  await second.submit.click()
  const done = later.page.getByRole('heading', { name: 'You are registered' })
  await expect(async () => {
    await later.page.clock.runFor(20)
    await expect(done).toBeVisible({ timeout: 100 })
  }).toPass()
  expect(callsOf(later.calls, 'POST', REGISTER_PATH)[0]?.body).toMatchObject({
    referrer_code: 'WXYZ6789',
  })
  await expect(later.page.locator('main')).toContainText(REFERRER)
  await later.page.clock.runFor(3_900)
  await expect(later.page).toHaveURL(/\/register/)
  await later.page.clock.runFor(100)
  await expect(later.page).toHaveURL(/\/login$/)
})

test('[REG-13, REG-14, REG-15] e-mail and terms are checked before anything is sent', async ({
  visit,
}) => {
  const { page, calls, wallet } = await visit({ wallet: 'connected', path: '/register' })
  const form = formOf(page)
  await expect(form.wallet).toContainText(ADDRESS)
  await form.terms.check()
  await form.submit.click()
  await expect(toast(page, 'Email must be filled in!')).toBeVisible()

  for (const email of ['someone', 'someone@', '@example.org', 'someone@example', 'a b@c.org']) {
    await form.email.fill(email)
    await form.submit.click()
    await expect(toast(page, 'Invalid email format!')).toBeVisible()
    await dismissToast(page, 'Invalid email format!')
  }

  await form.email.fill('someone@example.org')
  await form.terms.uncheck()
  await form.email.press('Enter')
  await expect(toast(page, 'You must accept the terms and conditions!')).toBeVisible()
  expectNothingSent(calls)
  expect(wallet.asked).toEqual([])
})

test('[REG-16, REG-21, REG-22, ERR-02] a failed registration shows the server’s message, or the fallback, and any other response is a failure', async ({
  visit,
  world,
}) => {
  const challenge = 'POST /api/auth/challenge'
  world.say(challenge, 'The referral code ZZZZ9999 is not known.', 'REFERRER_NOT_FOUND')
  const { page, toasts } = await visit({
    ...{ wallet: 'connected', path: '/register?ref=ZZZZ9999', tolerates: FAILED_CALLS },
  })
  const form = formOf(page)
  await expect(form.wallet).toContainText(ADDRESS)
  await form.email.fill('someone@example.org')
  await form.terms.check()
  await form.submit.click()
  await expect(toast(page, /referral code .*ZZZZ9999.* is not known/)).toBeVisible()

  world.mend(challenge)
  await form.code.fill('')
  const fails = async () => {
    await form.submit.click()
    const failed = 'An error occurred during registration.'
    await expect(toast(page, failed)).toBeVisible()
    await dismissToast(page, failed)
  }
  world.breakDown(REGISTER)
  await fails()
  await page.route(`**${REGISTER_PATH}`, (route) => route.abort())
  await fails()
  await page.unrouteAll()
  world.mend(REGISTER)
  const reply = { message: 'Registration received', referral_code: 'ABCD2345' }
  world.answer(REGISTER, { ...reply, referrer_tron_address: null })
  toasts.length = 0
  await form.submit.click()
  await expect(toast(page, 'Failed registration!Try again later.')).toBeVisible()
  expect(toasts).toEqual(['Failed registration!Try again later.'])
  await expect(page.getByText('ABCD2345')).toHaveCount(0)
  await expect(form.submit).toBeEnabled()
})

const TERMS = [
  [
    'TERMS-02',
    'Paket berjalan selama 360 siklus dengan imbalan 0,2% dari jumlah yang dikunci per siklus',
  ],
  ['TERMS-03', 'atau 720 siklus dengan imbalan 0,3% dari jumlah yang dikunci per siklus'],
  ['TERMS-04', 'Biaya klaim adalah 40% dari imbalan yang diklaim, dibayar dalam USDT'],
  ['TERMS-05', 'Di luar itu ada biaya energi tersendiri'],
  ['TERMS-06', 'Klaim wajib dilakukan paling lambat setiap 30 siklus. Jika tidak, akun dibekukan'],
  ['TERMS-07', 'Biaya dibayar lebih dahulu, lalu 100% imbalan diterima'],
  [
    'TERMS-08',
    '50% imbalan diklaim tanpa membayar lebih dahulu, dan biaya dibayar untuk menerima 50% lainnya',
  ],
  ['TERMS-09', 'Batas pool awal adalah 20.000 DCT'],
  ['TERMS-10', 'Token yang dikunci kembali secara otomatis setelah masa kunci berakhir'],
  ['TERMS-11', 'Bantuan diberikan melalui e-mail: support@dct-earning.example'],
  ['TERMS-12', 'Imbalan dikirim dalam waktu 1x24 jam setelah biaya dibayar'],
] as const

/** The same points in English. */
const ENGLISH_TERMS = [
  'Plans run 360 cycles at 0.2% of the locked amount per cycle, or 720 cycles at 0.3%',
  'The claim fee is 40% of the claimed reward, payable in USDT',
  'A separate energy fee applies in addition.',
  'A claim must be made at least every 30 cycles, or the account is frozen',
  'The fee is paid first, then 100% of the reward is received.',
  '50% of the reward is claimed free, and the fee is paid to receive the other 50%',
  'The initial pool limit is 20,000 DCT.',
  'Locked tokens return automatically after the lock period',
  'Rewards are sent within 1x24 hours after the fee is paid.',
  'Support is given by e-mail: support@dct-earning.example',
]

/** How this service applies the terms, in both languages. */
const APPLICATION = [
  'The rewards of the next 3 cycles are still credited.',
  'From cycle 34 without a claim, the reward of each cycle is lost',
  'Claims are accepted until 180 days after the plan has ended, and claim fees until 210 days after it has ended.',
  'The fee of a HALF claim is 40% of the whole claim',
  'Imbalan 3 siklus berikutnya masih dikreditkan.',
  'Mulai siklus ke-34 tanpa klaim',
  'sampai 180 hari setelah paket berakhir, dan biaya klaim sampai 210 hari setelah paket berakhir',
  'Biaya klaim HALF adalah 40% dari seluruh klaim',
]

test(`[REG-08, TERMS-01, ${TERMS.map(([id]) => id).join(', ')}] the terms in Indonesian, in a modal, followed by the way this service applies them in both languages`, async ({
  visit,
}) => {
  const { page } = await visit({ path: '/register' })
  await page.getByRole('button', { name: 'Read the terms and conditions' }).click()
  const terms = page.getByRole('dialog', { name: 'Terms and conditions' })
  await expect(terms.getByRole('listitem').first()).toBeVisible()
  await terms.locator('summary').click()
  const indonesian = (await terms.locator('[lang="id"]').allInnerTexts()).join('\n')
  for (const [, sentence] of TERMS) expect(indonesian).toContain(sentence)
  const english = (await terms.locator('[lang="en"]').allInnerTexts()).join('\n')
  for (const sentence of ENGLISH_TERMS) expect(english).toContain(sentence)
  await expect(
    page.getByRole('region', { name: /How this service applies these rules/ }),
  ).toBeVisible()
  for (const sentence of APPLICATION) await expect(terms).toContainText(sentence)
  await page.keyboard.press('Escape')
  await expect(terms).toHaveCount(0)
})
