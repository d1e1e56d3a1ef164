import { useTexts } from '../i18n/texts.ts'
import { ShareIcon } from './icons.tsx'
import { QuietButton } from './quiet-button.tsx'
import { uiTexts } from './ui.texts.ts'

/** Opens the device's own way to share a link; renders nothing where it has none. */
export function ShareButton({ url }: { url: string }) {
  const text = useTexts(uiTexts)
  if (navigator.share === undefined) return null
  // The person may change their mind, which is no failure.
  const share = () => navigator.share({ url }).catch(() => undefined)
  return (
    <QuietButton onClick={() => void share()}>
      <ShareIcon />
      {text('share')}
    </QuietButton>
  )
}
