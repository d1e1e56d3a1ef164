import { Suspense, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { uiTexts } from '../ui/ui.texts.ts'

const GlossaryDialog = lazyDialog(
  async () => (await import('./glossary-dialog.tsx')).GlossaryDialog,
)

/** Opens the glossary; it stands where its words first matter. */
export function GlossaryButton() {
  const text = useTexts(uiTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button type="button" className="text-button small" onClick={() => setIsOpen(true)}>
        {text('glossary')}
      </button>
      {isOpen && (
        <Suspense fallback={null}>
          <GlossaryDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
