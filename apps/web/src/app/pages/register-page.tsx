import { BeforeYouStart } from '../../features/login/before-you-start.tsx'
import { registerTexts } from '../../features/register/register.texts.ts'
import { RegisterForm } from '../../features/register/register-form.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function RegisterPage() {
  const text = useTexts(registerTexts)
  return (
    <Page title={text('title')} lead={text('lead')} size="narrow">
      <RegisterForm />
      <BeforeYouStart />
    </Page>
  )
}
