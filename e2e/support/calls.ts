import type { Page } from '@playwright/test'

/** One call that a page made, in its own words. */
export type Call = {
  method: string
  /** Without the origin, with the query. */
  path: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks for
  body: any
}

/** Keeps what a page says to the service and to the chains' nodes; pages and files are left out. */
export function recordCalls(page: Page): Call[] {
  const calls: Call[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (!/^\/(api|tron|bsc|devnet)\//.test(`${pathname}/`)) return
    calls.push({
      method: request.method(),
      path: `${pathname}${search}`,
      headers: request.headers(),
      body: readBody(request.postData()),
    })
  })
  return calls
}

function readBody(text: string | null): unknown {
  if (text === null) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text // not JSON, which the test may be about
  }
}

/** The calls of one path (query aside), oldest first. */
export function callsOf(calls: readonly Call[], method: string, path: string): Call[] {
  return calls.filter((call) => call.method === method && call.path.split('?')[0] === path)
}

/** What a call asked for in its query. */
export function queryOf(call: Call | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(call?.path.split('?')[1] ?? ''))
}
