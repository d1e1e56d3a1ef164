import { BeforeYouStart } from '../../features/login/before-you-start.tsx'
import { registerTexts } from '../../features/register/register.texts.ts'
import { RegisterForm } from '../../features/register/register-form.tsx'
import { Registered } from '../../features/register/registered.tsx'
import { useRegistration } from '../../features/register/use-registration.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { Page } from '../../shared/ui/page.tsx'

export function RegisterPage() {
  const text = useTexts(registerTexts)
  const registration = useRegistration()
  if (registration.registered) {
    return (
      <Page title={text('doneTitle')} size="narrow">
        <Registered answer={registration.registered} />
      </Page>
    )
  }
  return (
    <Page title={text('title')} lead={text('lead')} size="narrow">
      <RegisterForm registration={registration} />
      <BeforeYouStart />
    </Page>
  )
}
