import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './api-error.ts'

const RETRIES = 2

/** Reads are tried again only where another try can help; writes never by themselves. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < RETRIES && isTemporary(error),
        retryDelay: (failures) => 500 * 2 ** failures,
      },
      mutations: { retry: false },
    },
  })
}

function isTemporary(error: Error): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status >= 502)
}
