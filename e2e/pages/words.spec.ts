import { successOf } from '@dct/api-contract/successes'
import { fact, untilLoaded } from '../support/screens.ts'
import { offerPlans } from './support/joining.ts'
import { expect, test } from './support/test.ts'

const GLOSSARIES = [
  {
    language: 'en',
    button: 'Glossary',
    title: 'What the words mean',
    words: [
      'Wallet',
      'Plan',
      'Earning',
      'Cycle',
      'Reward',
      'Claim',
      'Claim count',
      'Fee',
      'Energy',
      'Freeze',
      'Capital',
      'Quota',
    ],
    freeze: /After 30 cycles without a claim.* of 3 more cycles/,
    fee: '40.00% of the claimed reward',
  },
  {
    language: 'id',
    button: 'Glosarium',
    title: 'Arti istilah',
    words: [
      'Dompet',
      'Paket',
      'Earning',
      'Siklus',
      'Imbalan',
      'Klaim',
      'Hitungan klaim',
      'Biaya',
      'Energi',
      'Pembekuan',
      'Modal',
      'Kuota',
    ],
    freeze: /Setelah 30 siklus tanpa klaim.* 3 siklus berikutnya/,
    fee: '40,00% dari imbalan yang diklaim',
  },
] as const

for (const { language, button, title, words, freeze, fee } of GLOSSARIES) {
  test(`the glossary opens on every page (${language})`, async ({ visit }) => {
    const { page } = await visit({
      as: 'user',
      path: '/dashboard',
      storage: { language },
    })
    await page.getByRole('button', { name: button, exact: true }).click()
    const glossary = page.getByRole('dialog', { name: title, exact: true })
    await expect(glossary.locator('dt')).toHaveText([...words])
    await expect(glossary).toContainText(freeze)
    await expect(glossary).toContainText(fee)
  })
}

test('a term in a label opens its explanation, in one place on the page, and a link leads to the common questions', async ({
  visit,
  world,
}) => {
  offerPlans(world)
  const { page } = await visit({ as: 'user', path: '/dashboard?tab=join' })
  const panel = page.getByRole('tabpanel')
  await panel.getByRole('combobox', { name: 'Earning plan' }).selectOption('PLAN-360')
  await panel.getByRole('textbox').fill('50')
  await expect(panel.getByText('Fees, at most', { exact: true })).toBeVisible()
  // The term appears in this panel and in its details; only one of them is a button.
  await expect(
    page.getByRole('button', { name: /^Fees, at most$|Pending Claim Fees/ }),
  ).toHaveCount(1)
  await panel.getByRole('button', { name: 'Earning plan', exact: true }).click()
  const meaning = page.getByRole('dialog', { name: 'What the words mean' })
  await expect(meaning.locator('dt')).toHaveText(['Plan'])
  await meaning.getByRole('button', { name: 'All words' }).click()
  await expect(meaning.locator('dt')).toHaveCount(12)
  await page.keyboard.press('Escape')
  await expect(meaning).toHaveCount(0)
  await page.waitForFunction(() => history.state?.isOfDialog !== true)
  await page.goto('/questions#energy')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Common questions')
  const open = page.locator('details[open]')
  await expect(open).toHaveCount(1)
  await expect(open.locator('summary')).toHaveText(
    'What are TRX and energy, and why do I need them?',
  )
  await expect(open.locator('p')).toBeInViewport()
  await expect(page.locator('details')).toHaveCount(16)
})

test('the service’s success messages are Indonesian in Indonesian mode', async ({
  visit,
  world,
}) => {
  world.answer('DELETE /api/auth/sessions', { message: successOf('SESSIONS_ENDED', { count: 2 }) })
  const { page } = await visit({ as: 'user', path: '/user', storage: { language: 'id' } })
  // A call still in flight would be refused once the session has ended.
  await untilLoaded(page)
  await page.getByRole('button', { name: 'Keluar dari semua sesi', exact: true }).click()
  const area = page.getByRole('region', { name: 'Pemberitahuan' })
  await expect(area).toContainText('Anda sudah keluar dari semua sesi. Sesi yang diakhiri: 2.')
})

test('a quota that is too small is refused in Indonesian in Indonesian mode', async ({
  visit,
  world,
}) => {
  offerPlans(world).left.set('PLAN-360', { daily: '20.000000', annual: '20.000000' })
  const { page } = await visit({
    ...{ as: 'user', wallet: 'connected', path: '/dashboard?tab=join' },
    storage: { language: 'id' },
  })
  await page.getByRole('combobox', { name: 'Paket earning' }).selectOption('PLAN-360')
  await page.getByRole('textbox', { name: 'Jumlah token (DCT)' }).fill('50')
  await untilLoaded(page)
  await page.getByRole('button', { name: 'Ikuti', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Pemberitahuan' })).toContainText(
    'Perkiraan imbalan (36,000000 DCT) melebihi sisa kuota harian (20,000000 DCT)!',
  )
})

test('an amount in a sentence keeps its size in Indonesian', async ({ visit }) => {
  const { page } = await visit({
    as: 'admin',
    wallet: 'connected',
    path: '/admin/dashboard?tab=plans',
    storage: { language: 'id' },
  })
  await page.getByRole('button', { name: 'Tambah paket', exact: true }).click()
  for (const [name, value] of [
    ['Kode paket', 'PLAN-90'],
    ['Nama', 'Plan 90'],
    ['Total imbalan (DCT)', '1000'],
    ['Durasi (hari)', '90'],
    ['Total persentase (%)', '18'],
    ['Batas harian (DCT)', '100'],
  ] as const) {
    await page.getByLabel(name, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: 'Danai dan buat', exact: true }).click()
  // "1,000 DCT" would be one DCT.
  await expect(
    page.getByRole('button', { name: 'Danai 1.000,000000 DCT', exact: true }),
  ).toBeVisible()
})

test('the change of a price is formatted for the language', async ({ visit }) => {
  const { page } = await visit({
    as: 'admin',
    path: '/admin/control?tab=price',
    storage: { language: 'id' },
  })
  await page.getByRole('textbox', { name: 'Harga baru (USDT untuk satu DCT)' }).fill('1,05')
  await page.getByRole('button', { name: 'Tetapkan harga', exact: true }).click()
  await expect(fact(page.getByRole('dialog'), 'Perubahan')).toHaveText('+5,00%')
})
