import { useQuery } from '@tanstack/react-query'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { availableBalance } from './available-balance.ts'
import { claimPoolQueries } from './claim-pool.api.ts'

/** Nothing can be approved from a balance that nobody knows. */
const NOTHING = '0.000000'

/** What can be approved at the moment; 0 when the chain cannot be read. */
export function useAvailable(approvedUnpaid: string | undefined) {
  const bsc = usePublicConfig()?.bsc
  const balance = useQuery(claimPoolQueries.balance(bsc))
  const onChain = balance.isError ? undefined : balance.data
  return {
    bsc,
    onChain,
    isUnknown: balance.isError,
    isLoading: balance.isPending,
    available:
      onChain === undefined ? NOTHING : availableBalance(onChain, approvedUnpaid ?? NOTHING),
  }
}
