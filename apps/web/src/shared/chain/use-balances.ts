import { queryOptions, useQuery } from '@tanstack/react-query'
import { readBalances } from './read-balances.ts'
import { useWallet } from './wallet-provider.tsx'

const REFRESH_MS = 15_000

export const balancesQueryKey = ['wallet-balances'] as const

/**
 * The connected wallet's balances, refreshed automatically; idle until a wallet is connected and the token is known.
 */
export function useBalances(token: string | undefined) {
  const { address, networkVersion, node } = useWallet()
  return useQuery(
    queryOptions({
      queryKey: [...balancesQueryKey, token, address, networkVersion],
      queryFn: () => readBalances(node(), { token: token ?? '', owner: address ?? '' }),
      enabled: token !== undefined && address !== undefined,
      refetchInterval: REFRESH_MS,
      retry: 1,
    }),
  )
}
