import type { Page } from '@playwright/test'

/** A request that a page made. */
export type Call = {
  method: string
  /** With the query, without the origin. */
  path: string
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: each test knows what it looks for
  body: any
}

/** Records a page's requests to the service and to the chains' nodes, but not those for pages and files. */
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
    return text // not JSON, which may be what the test checks
  }
}

/** The calls to one path, whatever their query, oldest first. */
export function callsOf(calls: readonly Call[], method: string, path: string): Call[] {
  return calls.filter((call) => call.method === method && call.path.split('?')[0] === path)
}

/** The query parameters of a call. */
export function queryOf(call: Call | undefined): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(call?.path.split('?')[1] ?? ''))
}
