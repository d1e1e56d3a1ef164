import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useAction } from './use-once.ts'

/** An action after which these queries are refetched, whether it succeeded or not. */
export function useRefreshingAction<Input, Answer>(
  queryKey: QueryKey,
  act: (input: Input) => Promise<Answer>,
) {
  const queryClient = useQueryClient()
  return useAction({
    mutationFn: act,
    onSettled: () => queryClient.invalidateQueries({ queryKey }),
  })
}
