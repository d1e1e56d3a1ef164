import { useQuery } from '@tanstack/react-query'
import { usePublicConfig } from '../../shared/config/public-config.ts'
import { availableBalance } from './available-balance.ts'
import { claimPoolQueries } from './claim-pool.api.ts'

/** While the balance is unknown, nothing can be approved. */
const NOTHING = '0.000000'

/** The amount that can be approved now; 0 while the chain cannot be read. */
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
