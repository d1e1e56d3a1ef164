import type { Page, Route } from '@playwright/test'

/** The browser's console message for a failed call; for tests that make calls fail. */
export const FAILED_CALLS = /Failed to load resource/

/** Matches calls to one path, or to every URL that the expression matches. */
const callsTo = (path: string | RegExp) =>
  typeof path === 'string' ? (url: URL) => url.pathname === path : path

/** Makes calls to this path, or to all that match, fail with an internal error whose body is not JSON. */
export async function breakDown(page: Page, path: string | RegExp): Promise<void> {
  await page.route(callsTo(path), (route) => route.fulfill({ status: 500, body: 'oops' }))
}

/** Makes the service refuse calls to this path with this message. */
export async function refuse(
  page: Page,
  path: string,
  message: string,
  code = 'SOME_REFUSAL',
): Promise<void> {
  const json = { message, code }
  await page.route(callsTo(path), (route) => route.fulfill({ status: 422, json }))
}

/** Makes calls to this path return a custom response. */
export async function answer(page: Page, path: string, json: unknown): Promise<void> {
  await page.route(callsTo(path), (route) => route.fulfill({ json }))
}

/** Changes the real responses of this path, or of all that match. */
export async function alter<T>(
  page: Page,
  path: string | RegExp,
  change: (answer: T) => unknown,
): Promise<void> {
  await page.route(callsTo(path), async (route: Route) => {
    try {
      const response = await route.fetch()
      await route.fulfill({ response, json: change((await response.json()) as T) })
    } catch (error) {
      // The page was reloaded or closed, so nothing is waiting for this response any more.
      if (!/disposed|closed/.test(String(error))) throw error
    }
  })
}

export async function restore(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'wait' })
}
