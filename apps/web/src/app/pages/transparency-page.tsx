import { Reserves } from '../../features/transparency/reserves.tsx'
import { transparencyTexts } from '../../features/transparency/transparency.texts.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function TransparencyPage() {
  const text = useTexts(transparencyTexts)
  return (
    <Page title={text('title')} lead={text('lead')}>
      <Reserves />
    </Page>
  )
}
