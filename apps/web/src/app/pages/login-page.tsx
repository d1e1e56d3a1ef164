import { BeforeYouStart } from '../../features/login/before-you-start.tsx'
import { LOGIN_WORDING, loginTexts } from '../../features/login/login.texts.ts'
import { LoginPanel } from '../../features/login/login-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function LoginPage() {
  const text = useTexts(loginTexts)
  return (
    <Page title={LOGIN_WORDING.title} lead={text('lead')} size="split">
      <div className="split">
        <div className="stack">
          <LoginPanel />
        </div>
        <BeforeYouStart />
      </div>
    </Page>
  )
}
