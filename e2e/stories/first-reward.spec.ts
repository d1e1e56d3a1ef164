import type { Locator, Page } from '@playwright/test'
import { dct } from '../support/dct.ts'
import { referralCodeOf } from '../support/referrals.ts'
import {
  claimCard,
  earningCard,
  fact,
  feeCard,
  joinForm,
  joinReview,
  overlay,
  paidFees,
  textOf,
  toast,
} from '../support/screens.ts'
import { expect, test } from '../support/test.ts'
import { approveInWallet } from '../support/wallet.ts'

const PLAN = 'PLAN-720'

/** A person with a phone. Counts every tap, entry and answer to the wallet. */
function personWith(page: Page) {
  const effort = { taps: 0, entries: 0, prompts: 0 }
  return {
    effort,
    async tap(target: Locator) {
      effort.taps += 1
      await target.tap()
    },
    async enter(field: Locator, value: string) {
      effort.entries += 1
      if ((await field.evaluate(({ tagName }) => tagName)) === 'SELECT') {
        await field.selectOption(value)
      } else await field.fill(value)
    },
    async approve(title: string, shown?: RegExp | string) {
      effort.prompts += 1
      await approveInWallet(page, title, shown)
    },
    button: (name: string) => page.getByRole('button', { name, exact: true }),
  }
}
type Person = ReturnType<typeof personWith>

test('from a referral link to the first reward in the wallet, on a phone, in exactly this many taps, entries and prompts', async ({
  visit,
  product,
}) => {
  const code = await referralCodeOf(await product.holder())
  const newcomer = await product.holder({ isRegistered: false })
  const { page } = await visit({
    as: newcomer,
    isSignedIn: false,
    wallet: 'unconnected',
    path: `/register?ref=${code}`,
    context: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
  })
  const person = personWith(page)

  await expect(page.getByRole('complementary', { name: 'Before you start' })).toContainText(
    '10 to 50 DCT until the plan ends',
  )
  await registerAndLogIn(person, page)
  expect(person.effort, 'signed in').toEqual({ taps: 4, entries: 1, prompts: 3 })

  await join(person, page)
  await expect(page.getByText(/^50\.000000 DCT locked\. First reward: \d/)).toBeInViewport()
  expect(person.effort, 'joined').toEqual({ taps: 7, entries: 3, prompts: 5 })

  await product.settle()
  const locked = await newcomer.dctBalance()
  await product.advance(5)
  await page.goto('/dashboard')
  await claim(person, page, 'Half')
  await product.settle()
  expect(dct((await newcomer.dctBalance()) - locked), 'half of five rewards').toBe('0.375000')
  expect(person.effort, 'a first reward in the wallet').toEqual({
    taps: 10,
    entries: 3,
    prompts: 5,
  })

  const pay = async () => {
    await person.tap(feeCard(page, PLAN).getByRole('button', { name: 'Pay Now' }))
    const dialog = page.getByRole('dialog', { name: 'Pay with USDT on BSC (BEP20)' })
    await person.tap(dialog.getByRole('button', { name: 'Copy the amount' }))
    await person.tap(dialog.getByRole('button', { name: 'Copy the receiving address' }))
    const due = await textOf(dialog.locator('.pay-value__amount'))
    await newcomer.payUsdt(due.replace(/[^\d.]/g, ''))
    await expect(toast(page, 'Fee successfully paid and recorded!')).toBeVisible()
    await product.settle()
  }
  await pay()
  expect(dct((await newcomer.dctBalance()) - locked), 'all five rewards').toBe('0.750000')
  expect(person.effort, 'all five rewards in the wallet').toEqual({
    taps: 13,
    entries: 3,
    prompts: 5,
  })

  await product.advance(5)
  await page.goto('/dashboard')
  await claim(person, page, 'Full')
  await pay()
  await page.keyboard.press('Escape')
  await expect(paidFees(page).getByText('Done', { exact: true })).toHaveCount(2)
  expect(dct((await newcomer.dctBalance()) - locked), 'ten rewards').toBe('1.500000')
  expect(person.effort, 'each later claim takes six taps').toEqual({
    taps: 19,
    entries: 3,
    prompts: 5,
  })
})

async function registerAndLogIn(person: Person, page: Page) {
  await person.tap(person.button('Connect the tronlink'))
  await person.approve('Connect this site')
  await person.enter(page.getByLabel('E-mail'), 'sari@example.org')
  await person.tap(page.getByRole('checkbox', { name: 'I accept the terms and conditions' }))
  await person.tap(person.button('Register Now'))
  await person.approve('Sign this message', 'sari@example.org')
  await expect(page.getByText('The login page opens in 4 seconds.')).toBeVisible()
  await expect(page).toHaveURL(/\/login$/)
  await person.tap(person.button('Login'))
  await person.approve('Sign this message')
  await expect(page).toHaveURL(/\/dashboard$/)
}

async function join(person: Person, page: Page) {
  await person.tap(page.getByRole('link', { name: 'See the plans' }))
  const form = joinForm(page)
  await person.enter(form.plan, PLAN)
  await person.enter(form.amount, '50')
  await expect(fact(form.panel, 'Fees, at most')).toHaveText('45.840000 USDT')
  await person.tap(form.join)
  await person.tap(joinReview(page).confirm)
  await person.approve('Sign this transaction', /approve\(Staking .*, 50000000\)/)
  await person.approve('Sign this transaction', `joinStake(50000000, ${PLAN}, 720)`)
  await expect(overlay(page)).toHaveCount(0)
  await expect(earningCard(page, PLAN)).toBeVisible()
}

async function claim(person: Person, page: Page, kind: 'Full' | 'Half') {
  await person.tap(page.getByRole('link', { name: 'Go to the claim' }))
  await person.tap(claimCard(page, PLAN).getByRole('button', { name: `Claim ${kind}` }))
  const dialog = page.getByRole('dialog', { name: `Claim ${PLAN}: ${kind.toUpperCase()}` })
  await person.tap(dialog.getByRole('button', { name: 'Confirm' }))
  await expect(dialog).toHaveCount(0)
  await expect(feeCard(page, PLAN)).toBeInViewport()
}
