import { callsOf } from '../support/calls.ts'
import { FAILED_CALLS } from '../support/provoke.ts'
import { toast } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

test('[REG-06, REG-16, REG-17, REG-18, REG-19, REG-21] an unknown code is refused; then a holder registers with a known one, whose owner is shown', async ({
  visit,
  product,
}) => {
  const referrer = await product.holder({ isRegistered: false })
  const { referral_code: code } = await referrer.register('referrer@example.org')
  const person = await product.holder({ isRegistered: false })
  const { page, calls } = await visit({
    ...{ as: person, isSignedIn: false, wallet: 'asking', tolerates: FAILED_CALLS },
    path: '/register?ref=ZZZZ9999',
  })
  await expect(page.getByRole('region', { name: 'Wallet address' })).toContainText(person.address)
  await page.getByLabel('E-mail').fill('someone@example.org')
  await page.getByRole('checkbox', { name: 'I accept the terms and conditions' }).check()
  const submit = page.getByRole('button', { name: 'Register Now', exact: true })
  await submit.click()
  await expect(toast(page, /referral code .*ZZZZ9999.* is not known/)).toBeVisible()
  await page.getByLabel('Referral code (optional)').fill(code)
  await submit.click()
  await approveInWallet(page, 'Sign this message', 'someone@example.org')
  await expect(page.locator('main')).toContainText(referrer.address)
  expect(callsOf(calls, 'POST', '/api/auth/register').at(-1)?.body).toMatchObject({
    referrer_code: code,
  })
  await person.login()
  const { user } = await person.call<{ user: Record<string, string> }>('GET', '/api/auth/me')
  expect(user).toMatchObject({
    ...{ email: 'someone@example.org', referrer_tron_address: referrer.address },
  })
})
