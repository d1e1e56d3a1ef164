import { toast } from '../../shared/ui/toast-store.ts'
import { FEE_WORDING } from './claim-fees.texts.ts'

const told = new Set<string>()

/** Says once for each claim that its fee is paid, whoever notices first. */
export function tellPaid(codeClaim: string): void {
  if (told.has(codeClaim)) return
  told.add(codeClaim)
  toast.money(FEE_WORDING.paid)
}
