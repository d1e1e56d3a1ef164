import { useEffect, useEffectEvent } from 'react'
import { errorText } from '../api/api-error.ts'
import { toast } from './toast-store.ts'

/**
 * Shows a toast when a load fails: the server's message, otherwise the fallback; nothing without a fallback. Repeated
 * failures in a row show no further toast.
 */
export function useErrorToast(error: Error | null, fallback: string | undefined): void {
  const isFailing = error !== null
  const show = useEffectEvent(() => {
    if (fallback !== undefined) toast.error(errorText(error, fallback))
  })
  useEffect(() => {
    if (isFailing) show()
  }, [isFailing])
}
