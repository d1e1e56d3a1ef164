import { walkAsHolder } from '../support/main-walk.ts'
import { breakStorage } from '../support/storage-faults.ts'
import { expect, test } from '../support/test.ts'

for (const fault of ['blocked', 'full'] as const) {
  test(`with storage that is ${fault}, a holder logs in, locks tokens and opens every page, and is told what is not kept`, async ({
    visit,
    product,
  }) => {
    const holder = await product.holder()
    const { page } = await visit({
      as: holder,
      isSignedIn: false,
      before: (fresh) => breakStorage(fresh, fault),
    })
    const unkept = page.getByText('you must log in again after a reload')
    await expect(unkept).toBeVisible()
    await walkAsHolder(page)
    await expect(unkept).toBeVisible()
    await page.reload()
    await expect(page).toHaveURL(/\/login$/)
  })
}
