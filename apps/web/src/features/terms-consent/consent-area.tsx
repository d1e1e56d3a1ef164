import { useConfirmation } from '../../shared/api/use-confirmation.ts'
import { lazyDialog } from '../../shared/ui/lazy-part.tsx'

const ConsentDialog = lazyDialog(async () => (await import('./consent-dialog.tsx')).ConsentDialog)

/** Asks for consent to new terms when a request requires it. */
export function ConsentArea() {
  const answer = useConfirmation()
  if (answer === undefined) return null
  return <ConsentDialog onEnd={answer} onClose={() => answer(false)} />
}
