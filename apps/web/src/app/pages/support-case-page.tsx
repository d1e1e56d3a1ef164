import { useParams } from 'react-router'
import { supportTexts } from '../../features/case-facts/support-case.texts.ts'
import { LinkedCase } from '../../features/case-facts/support-case.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function SupportCasePage() {
  const text = useTexts(supportTexts)
  const { token = '' } = useParams()
  return (
    <Page title={text('title')} lead={text('lead')}>
      <LinkedCase token={token} />
    </Page>
  )
}
