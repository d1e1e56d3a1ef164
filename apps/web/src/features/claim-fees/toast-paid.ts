import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING } from './claim-fees.texts.ts'

const shown = new Set<string>()

/** Shows once per claim that its fee is paid, whichever part of the page finds out first. */
export function toastPaid(codeClaim: string): void {
  if (shown.has(codeClaim)) return
  shown.add(codeClaim)
  toast.money(FEE_WORDING.paid)
}
