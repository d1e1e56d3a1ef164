import { expect, type Locator, type Page } from '@playwright/test'

/** The area at the top right where toasts appear. */
export function toastArea(page: Page): Locator {
  return page.getByRole('region', { name: 'Notifications' })
}

/** The toast with exactly this text. */
export function toast(page: Page, text: string | RegExp): Locator {
  const area = toastArea(page)
  return typeof text === 'string' ? area.getByText(text, { exact: true }) : area.getByText(text)
}

/**
 * Dismisses one toast, unless it has closed by itself, without hovering over the area, which would keep the other toasts
 * open.
 */
export async function dismissToast(page: Page, text: string): Promise<void> {
  const shown = toastArea(page).getByRole('listitem').filter({ hasText: text })
  await shown.getByRole('button', { name: 'Dismiss' }).evaluateAll((buttons: HTMLElement[]) => {
    for (const button of buttons) button.click()
  })
  await expect(shown).toHaveCount(0)
}

export function tab(page: Page, name: string): Locator {
  return page.getByRole('tab', { name, exact: true })
}

/** The value of a term in a definition list. */
export function fact(scope: Locator, term: string): Locator {
  const name = scope.page().locator('dt').getByText(term, { exact: true })
  return scope.locator('dl > div').filter({ has: name }).locator('dd')
}

/** The part of the page with that heading. */
export function part(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}

/** The card of one earning in "My Earnings". */
export function earningCard(page: Page, planCode: string): Locator {
  return page
    .getByRole('tabpanel', { name: 'My Earnings' })
    .getByRole('article', { name: planCode, exact: true })
}

/** The form of "Join Earning Plan". */
export function joinForm(page: Page) {
  const panel = page.getByRole('tabpanel', { name: 'Join Earning Plan' })
  return {
    panel,
    plan: panel.getByRole('combobox', { name: 'Earning plan' }),
    amount: panel.getByRole('textbox', { name: 'Token amount (DCT)' }),
    join: panel.getByRole('button', { name: /^(Join|Have joined)$/ }),
    dailyQuota: fact(panel, 'Remaining daily quota'),
    annualQuota: fact(panel, 'Remaining annual quota'),
  }
}

/** Chooses a plan and enters an amount in the form. */
export async function fillJoin(
  page: Page,
  { plan, amount }: { plan: string; amount: string },
): Promise<void> {
  const form = joinForm(page)
  await form.plan.selectOption(plan)
  await form.amount.fill(amount)
}

/** The dialog that reviews a join before the wallet opens. */
export function joinReview(page: Page) {
  const dialog = page.getByRole('dialog', { name: /^Review: join / })
  return {
    dialog,
    confirm: dialog.getByRole('button', { name: /^Lock .+ DCT$/ }),
    back: dialog.getByRole('button', { name: 'Back', exact: true }),
  }
}

/** Presses "Join" and confirms the review. */
export async function pressJoin(page: Page): Promise<void> {
  await joinForm(page).join.click()
  await joinReview(page).confirm.click()
}

/** The card of one plan in "Claim Reward". */
export function claimCard(page: Page, planCode: string): Locator {
  return page
    .getByRole('tabpanel', { name: 'Claim Reward' })
    .getByRole('article', { name: planCode, exact: true })
}

/** The parts of the dashboard with open and with paid fees. */
export function feesPanel(page: Page): Locator {
  return page.getByRole('region', { name: /^(Pending Claim Fees|Paid fees)/ })
}

/** The card of an unpaid fee. */
export function feeCard(page: Page, planCode: string): Locator {
  return feesPanel(page).getByRole('article', { name: planCode, exact: true })
}

/** Presses "Pay Now" on the card of an unpaid fee. */
export async function openPayDialog(page: Page, planCode: string) {
  await feeCard(page, planCode).getByRole('button', { name: 'Pay Now' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('I have the transaction hash').click()
  return {
    dialog,
    hash: dialog.getByLabel('BSC transaction hash'),
    submit: dialog.getByRole('button', { name: 'Submit payment hash' }),
  }
}

/** The rows of the paid fees, without the header. */
export function paidFees(page: Page): Locator {
  return feesPanel(page).getByRole('table').locator('tbody').getByRole('row')
}

/** The full-screen overlay while money moves. */
export function overlay(page: Page): Locator {
  return page.getByRole('dialog', { name: 'Waiting for the transaction...' })
}

/** The text of an element, trimmed. */
export async function textOf(element: Locator): Promise<string> {
  return (await element.textContent())?.trim() ?? ''
}

/** The texts of a table's header cells, in order. */
export function headers(table: Locator): Promise<string[]> {
  return table.locator('thead th').allInnerTexts()
}

/** The texts of one column's cells, from the top. */
export async function column(table: Locator, index: number): Promise<string[]> {
  const cells = await table.locator(`tbody tr td:nth-child(${index + 1})`).allInnerTexts()
  return cells.map((text) => text.trim())
}

/** Expects that the table has rows and that none of its cells is empty. */
export async function expectFilled(table: Locator): Promise<void> {
  const texts = await table.locator('tbody td').allInnerTexts()
  expect(texts).not.toEqual([])
  expect(texts.map((text) => text.trim())).not.toContain('')
}

/** Formats an instant as the pages do. */
export function shownDate(instant: string): string {
  const format = { dateStyle: 'medium', timeStyle: 'short', timeZone: 'Asia/Jakarta' } as const
  return new Intl.DateTimeFormat('id-ID', format).format(new Date(instant))
}

/** A decimal string from the API as a page in English shows it: with a comma before every third digit. */
export function shownDecimal(decimal: string): string {
  return decimal.replace(/\B(?=(\d{3})+\.)/g, ',')
}

/** Waits until nothing is loading any more. */
export async function untilLoaded(page: Page): Promise<void> {
  // Before its first render the page is empty, so it has nothing that is loading either.
  await page.locator('main').waitFor({ state: 'attached' })
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
}

/**
 * Waits until all animations in sight have ended, because colours in the middle of one are meaningless. In what is folded
 * away an animation stands still until it is unfolded.
 */
export async function untilStill(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document
      .getAnimations()
      // Scroll-driven animations, such as the fade of the tabs, never end.
      .filter((one) => one.timeline === document.timeline)
      .filter((one) => one.effect?.getComputedTiming().iterations !== Number.POSITIVE_INFINITY)
      .filter(({ effect }) => effect instanceof KeyframeEffect && effect.target?.checkVisibility())
      .every(({ playState }) => playState !== 'running'),
  )
}

/** How many pixels the page is wider than its window; 0 or less without horizontal scrolling. */
export function sidewaysOverflow(page: Page): Promise<number> {
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth - clientWidth
  })
}

/** How many pixels of an open dialog's last content its buttons cover, once it is scrolled to the end; 0 without one. */
export function hiddenBehindActions(page: Page): Promise<number> {
  return page.evaluate(() => {
    const body = document.querySelector('.dialog__body')
    const actions = body?.querySelector('.dialog__actions:last-child')
    const content = actions?.previousElementSibling
    if (!body || !actions || !content) return 0
    body.scrollTop = body.scrollHeight
    return content.getBoundingClientRect().bottom - actions.getBoundingClientRect().top
  })
}

/** What is pressed on the page or in its open dialog and is smaller than 24 by 24 pixels, the least for a thumb. */
export function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const place = document.querySelector('.dialog') ?? document.body
    return [...place.querySelectorAll('a[href], button, summary, select, input')]
      .filter((control) => control.checkVisibility({ checkVisibilityCSS: true }))
      .filter((control) => control.closest('development-wallet, .visually-hidden') === null)
      .map((control) => ({
        control,
        // A tick is also pressed on its label.
        ...(control.closest('label') ?? control).getBoundingClientRect().toJSON(),
      }))
      .filter(({ width, height }) => width > 1 && Math.round(Math.min(width, height)) < 24)
      .map(({ control, width, height }) => {
        return `${control.outerHTML.slice(0, 200)}: ${Math.round(width)} × ${Math.round(height)}`
      })
  })
}

/** The captions of the lists that must be scrolled sideways to see all of them. */
export function cutOffLists(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.data-table__scroll')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth + 1)
      .map((list) => list.querySelector('caption')?.textContent ?? ''),
  )
}

/** The placeholders that are too long for their fields. */
export function cutOffPlaceholders(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const pen = document.createElement('canvas').getContext('2d')
    return [...document.querySelectorAll<HTMLInputElement>('input:placeholder-shown')]
      .filter((field) => field.placeholder !== '' && field.checkVisibility())
      .filter((field) => {
        const style = getComputedStyle(field)
        const paddings = [style.paddingInlineStart, style.paddingInlineEnd].map(Number.parseFloat)
        const room = paddings.reduce((left, padding) => left - padding, field.clientWidth)
        const { fontSize } = getComputedStyle(field, '::placeholder')
        if (pen) pen.font = `${style.fontWeight} ${fontSize} ${style.fontFamily}`
        return (pen?.measureText(field.placeholder).width ?? 0) > room
      })
      .map(({ placeholder }) => placeholder)
  })
}

/** The terms on a page in English that open the meaning of a word which they do not contain. */
export function foreignTerms(page: Page): Promise<string[]> {
  return page.locator('.term').evaluateAll((terms: HTMLElement[]) =>
    terms
      .filter(({ textContent, dataset }) => {
        return !textContent?.toLowerCase().includes(dataset.word ?? '')
      })
      .map(({ textContent }) => textContent ?? ''),
  )
}

/** In how many lines the links of the top bar stand; 0 while a menu hides them. */
export function linesOfLinks(page: Page): Promise<number> {
  return page.evaluate(() => {
    const links = [...document.querySelectorAll('.top-bar__link')]
    const shown = links.filter((link) => link.checkVisibility())
    return new Set(shown.map((link) => Math.round(link.getBoundingClientRect().top))).size
  })
}

/** The facts or filters that stand alone below a single row of four or more. */
export function loneFacts(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('.facts, .history__filters')].flatMap((list) => {
      const rows = Object.values(
        Object.groupBy([...list.children], (fact) => Math.round(fact.getBoundingClientRect().top)),
      )
      const [first, last] = rows
      const isLone = rows.length === 2 && last?.length === 1 && (first?.length ?? 0) >= 4
      return isLone ? (last[0]?.textContent ?? '') : []
    }),
  )
}

/** The stored session token, which the page would send. */
export function storedToken(page: Page): Promise<string | null> {
  return page.evaluate(() => localStorage.getItem('authToken'))
}
