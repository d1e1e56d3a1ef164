const BASE_PATH = '/api'

export type QueryParams = Readonly<Record<string, string | number | boolean | undefined>>

/** The URL of a request, without the empty and undefined values of the query. */
export function callAddress(path: string, query: QueryParams = {}): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
  const search = new URLSearchParams(given.map(([key, value]) => [key, String(value)]))
  return `${BASE_PATH}${path}${search.size > 0 ? `?${search}` : ''}`
}
