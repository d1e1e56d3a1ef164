import { useSearchParams } from 'react-router'
import { ConfirmEmail, Unsubscribe } from '../../features/messages/link-pages.tsx'
import { linkTexts } from '../../features/messages/messages.texts.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { Page } from '../../shared/ui/page.tsx'

export function ConfirmEmailPage() {
  const text = useTexts(linkTexts)
  const token = useToken()
  return (
    <Page size="narrow" title={text('confirmTitle')}>
      {token === null ? <NoLink /> : <ConfirmEmail token={token} />}
    </Page>
  )
}

export function UnsubscribePage() {
  const text = useTexts(linkTexts)
  const token = useToken()
  return (
    <Page size="narrow" title={text('unsubscribeTitle')}>
      {token === null ? <NoLink /> : <Unsubscribe token={token} />}
    </Page>
  )
}

/** The token in the URL, which identifies the recipient of the link. */
function useToken(): string | null {
  return useSearchParams()[0].get('token')
}

function NoLink() {
  const text = useTexts(linkTexts)
  return (
    <Callout tone="bad" role="alert">
      <p>{text('noLink')}</p>
    </Callout>
  )
}
