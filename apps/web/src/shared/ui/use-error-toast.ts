import { useEffect, useEffectEvent } from 'react'
import { errorText } from '../api/api-error.ts'
import { toast } from './toast-store.ts'

/**
 * Tells of a load that failed: the server's message, else the fallback; without a fallback nothing.
 * While further tries fail as well it stays silent.
 */
export function useErrorToast(error: Error | null, fallback: string | undefined): void {
  const isFailing = error !== null
  const tell = useEffectEvent(() => {
    if (fallback !== undefined) toast.error(errorText(error, fallback))
  })
  useEffect(() => {
    if (isFailing) tell()
  }, [isFailing])
}
