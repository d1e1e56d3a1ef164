import { Link } from 'react-router'
import { GlossaryButton } from '../shared/glossary/glossary-button.tsx'
import { useTexts } from '../shared/i18n/texts.ts'
import { frameTexts } from './frame.texts.ts'

/** The pages about the service; below every page, and in the menu where a holder's phone has no room for them. */
export function FootLinks() {
  const text = useTexts(frameTexts)
  return (
    <>
      <Link to="/transparency">{text('transparency')}</Link>
      <Link to="/terms">{text('terms')}</Link>
      <Link to="/privacy">{text('privacy')}</Link>
      <Link to="/status">{text('status')}</Link>
      <Link to="/security">{text('security')}</Link>
      <Link to="/questions">{text('questions')}</Link>
      <GlossaryButton />
    </>
  )
}
