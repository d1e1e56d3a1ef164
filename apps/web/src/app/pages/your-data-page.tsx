import { yourDataTexts } from '../../features/your-data/your-data.texts.ts'
import { YourData } from '../../features/your-data/your-data.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function YourDataPage() {
  const text = useTexts(yourDataTexts)
  return (
    <Page title={text('title')} size="dense">
      <YourData />
    </Page>
  )
}
