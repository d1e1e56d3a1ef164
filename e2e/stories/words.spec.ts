import type { OutsideHolder } from '../outside/outside-client.ts'
import { answer } from '../support/provoke.ts'
import { untilLoaded } from '../support/screens.ts'
import { expect, test } from '../support/test.ts'

let holder: OutsideHolder
test.beforeAll(async ({ product }) => {
  holder = await product.holder()
})

const GLOSSARIES = [
  {
    language: 'en',
    title: 'What the words mean',
    words: [
      'Wallet',
      'Plan',
      'Earning',
      'Cycle',
      'Reward',
      'Claim',
      'Fee',
      'Energy',
      'Freeze',
      'Capital',
      'Quota',
    ],
    freeze: /After 30 cycles without a claim.* of 3 more cycles/,
    fee: '40% of the claimed reward',
  },
  {
    language: 'id',
    title: 'Arti istilah',
    words: [
      'Dompet',
      'Paket',
      'Earning',
      'Siklus',
      'Imbalan',
      'Klaim',
      'Biaya',
      'Energi',
      'Pembekuan',
      'Modal',
      'Kuota',
    ],
    freeze: /Setelah 30 siklus tanpa klaim.* 3 siklus berikutnya/,
    fee: '40% dari imbalan yang diklaim',
  },
] as const

for (const { language, title, words, freeze, fee } of GLOSSARIES) {
  test(`the glossary opens where its words first matter, and on every page (${language})`, async ({
    visit,
  }) => {
    const { page } = await visit({
      as: holder,
      path: '/dashboard?tab=join',
      storage: { language },
    })
    const panel = page.getByRole('tabpanel')
    await panel.getByRole('button', { name: title, exact: true }).click()
    const glossary = page.getByRole('dialog', { name: title, exact: true })
    await expect(glossary.locator('dt')).toHaveText([...words])
    await expect(glossary).toContainText(freeze)
    await expect(glossary).toContainText(fee)
    await page.keyboard.press('Escape')
    await expect(glossary).toHaveCount(0)
    // A dialog that closes goes back in the history, which would abort another navigation.
    await page.waitForFunction(() => history.state?.isOfDialog !== true)

    await page.goto('/login')
    await page.getByRole('button', { name: title, exact: true }).click()
    await expect(glossary).toBeVisible()
  })
}

test('a word in a label opens its own meaning, in one place on the page', async ({ visit }) => {
  const { page } = await visit({ as: holder, path: '/dashboard?tab=join' })
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('combobox', { name: 'Earning plan' }).selectOption('PLAN-360')
  await panel.getByRole('textbox').fill('50')
  await expect(panel.getByText(/^Fee for one claim/)).toBeVisible()
  // The fee is in this panel and in the heading of the fees; only one of them is a button.
  await expect(
    page.getByRole('button', { name: /Fee for one claim|Pending Claim Fees/ }),
  ).toHaveCount(1)
  await panel.getByRole('button', { name: 'Earning plan', exact: true }).click()
  const meaning = page.getByRole('dialog', { name: 'What the words mean' })
  await expect(meaning.locator('dt')).toHaveText(['Plan'])
  await meaning.getByRole('button', { name: 'All words' }).click()
  await expect(meaning.locator('dt')).toHaveCount(11)
})

test('a question leads from where it arises to its answer', async ({ visit }) => {
  const { page } = await visit({ as: holder, path: '/dashboard?tab=join' })
  await page.getByRole('link', { name: 'Why do I need TRX?' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Common questions')
  const open = page.locator('details[open]')
  await expect(open).toHaveCount(1)
  await expect(open.locator('summary')).toHaveText(
    'What are TRX and energy, and why do I need them?',
  )
  await expect(open.locator('p')).toBeInViewport()
  await expect(page.locator('details')).toHaveCount(16)
})

test('what the service says after a success is Indonesian in Indonesian mode', async ({
  visit,
  product,
}) => {
  const person = await product.holder()
  const { page } = await visit({ as: person, path: '/user', storage: { language: 'id' } })
  await page.getByRole('button', { name: 'Keluar dari semua sesi', exact: true }).click()
  const area = page.getByRole('region', { name: 'Pemberitahuan' })
  await expect(area).toContainText(/Anda sudah keluar dari semua sesi\. Sesi yang diakhiri: \d+\./)
})

test('a quota that is too small is refused in Indonesian in Indonesian mode', async ({ visit }) => {
  const { page } = await visit({
    as: holder,
    path: '/dashboard?tab=join',
    storage: { language: 'id' },
    before: (fresh) =>
      answer(fresh, '/api/user/earning-plans/PLAN-360/check-quota', {
        remaining_daily_limit: '20',
        remaining_annual_quota: '20',
      }),
  })
  await page.getByRole('combobox', { name: 'Paket earning' }).selectOption('PLAN-360')
  await page.getByRole('textbox', { name: 'Jumlah token (DCT)' }).fill('50')
  await untilLoaded(page)
  await page.getByRole('button', { name: 'Ikuti', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Pemberitahuan' })).toContainText(
    'Perkiraan imbalan (36,000000 DCT) melebihi sisa kuota harian (20,000000 DCT)!',
  )
})
