import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { payFees, referralCodeOf } from '../support/referrals.ts'
import { part } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

const VERIFY_PAGE = join(import.meta.dirname, '../../apps/web/public/verify.html')

test('a holder learns with one press to be in the list, and a page from disk agrees and exposes a lie', async ({
  visit,
  product,
}) => {
  const holder = await product.holder()
  await payFees(product, [await product.holder({ referrerCode: await referralCodeOf(holder) })])
  await product.advance(1)
  const { page } = await visit({ as: holder, wallet: 'absent', path: '/transparency' })
  const referrals = part(page, 'Referral rewards')
  await referrals.getByRole('button', { name: 'Am I in it?' }).click()
  await expect(
    referrals.getByText(/^You are in the list of .*, and its sum includes/),
  ).toBeVisible()
  const saving = page.waitForEvent('download')
  await referrals.getByRole('button', { name: 'Save my place as a file' }).click()
  const file = readFileSync(await (await saving).path(), 'utf8')

  await page.goto(pathToFileURL(VERIFY_PAGE).href)
  const check = async (text: string) => {
    await page.getByLabel('The contents of the file that you downloaded').fill(text)
    await page.getByRole('button', { name: 'Check' }).click()
  }
  await check(file)
  await expect(page.getByText('✔ You are in the list, with this amount')).toBeVisible()
  const { published, proof } = JSON.parse(file)
  await check(JSON.stringify({ published, proof: { ...proof, owed: `${proof.owed}0` } }))
  await expect(page.getByText('✘ You are NOT in the list with this amount')).toBeVisible()
})
