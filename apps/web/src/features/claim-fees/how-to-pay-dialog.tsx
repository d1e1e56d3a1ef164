import { useTexts } from '../../shared/i18n/texts.ts'
import { Dialog } from '../../shared/ui/dialog.tsx'
import { feeTexts } from './claim-fees.texts.ts'

const STEPS = ['how1', 'how2', 'how3', 'how4', 'how5', 'how6'] as const

/** Step-by-step payment instructions. */
export function HowToPayDialog({ onClose }: { onClose(): void }) {
  const text = useTexts(feeTexts)
  return (
    <Dialog title={text('howTitle')} onClose={onClose}>
      <ol className="how-to">
        {STEPS.map((step) => (
          <li key={step}>{text(step)}</li>
        ))}
      </ol>
      <div className="dialog__actions">
        <button type="button" className="button" onClick={onClose}>
          {text('gotIt')}
        </button>
      </div>
    </Dialog>
  )
}
