import type { Page, Route } from '@playwright/test'

/** What the browser says of calls that fail; belongs to tests that make them fail. */
export const FAILED_CALLS = /Failed to load resource/

const pathOf = (path: string) => (url: URL) => url.pathname === path

/** No answer comes: the line is cut. */
export async function cutOff(page: Page, path: string): Promise<void> {
  await page.route(pathOf(path), (route) => route.abort())
}

/** The service breaks down: an answer without a readable message. */
export async function breakDown(page: Page, path: string): Promise<void> {
  await page.route(pathOf(path), (route) => route.fulfill({ status: 500, body: 'oops' }))
}

/** Makes the service refuse with this message. */
export async function refuse(page: Page, path: string, message: string): Promise<void> {
  const json = { message, code: 'SOME_REFUSAL' }
  await page.route(pathOf(path), (route) => route.fulfill({ status: 422, json }))
}

/** Makes the service return a custom response. */
export async function answer(page: Page, path: string, json: unknown): Promise<void> {
  await page.route(pathOf(path), (route) => route.fulfill({ json }))
}

/** Lets the true answer through after changing it. */
export async function alter<T>(
  page: Page,
  path: string,
  change: (answer: T) => unknown,
): Promise<void> {
  await page.route(pathOf(path), async (route: Route) => {
    try {
      const response = await route.fetch()
      await route.fulfill({ response, json: change((await response.json()) as T) })
    } catch (error) {
      // Nobody waits for the answer any more: the page was reloaded or closed meanwhile.
      if (!/disposed|closed/.test(String(error))) throw error
    }
  })
}

export async function restore(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
}
