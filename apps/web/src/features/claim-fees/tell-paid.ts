import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING } from './claim-fees.texts.ts'

const told = new Set<string>()

/** Shows once per claim that its fee is paid, whichever part of the page notices first. */
export function tellPaid(codeClaim: string): void {
  if (told.has(codeClaim)) return
  told.add(codeClaim)
  toast.money(FEE_WORDING.paid)
}
