import { type ReactNode, useState } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { lazyDialog } from '../ui/lazy-part.tsx'
import { uiTexts } from '../ui/ui.texts.ts'
import type { Word } from './word.ts'

const GlossaryDialog = lazyDialog(
  async () => (await import('./glossary-dialog.tsx')).GlossaryDialog,
)

/** Opens the glossary at one word, or the whole of it. */
export function GlossaryButton({ word, children }: { word?: Word; children?: ReactNode }) {
  const text = useTexts(uiTexts)
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <button
        type="button"
        className={word ? 'term' : 'text-button small'}
        aria-haspopup="dialog"
        data-word={word}
        onClick={() => setIsOpen(true)}
      >
        {children ?? text('glossary')}
      </button>
      {isOpen && <GlossaryDialog word={word} onClose={() => setIsOpen(false)} />}
    </>
  )
}
