import { useLingui } from '@lingui/react'
import { changeLanguage, type Language } from '../shared/i18n/language.ts'
import { useTexts } from '../shared/i18n/texts.ts'
import { toast } from '../shared/ui/toast-store.ts'
import { frameTexts } from './frame.texts.ts'
import './language-switch.css'

const LANGUAGES: readonly { code: Language; name: string }[] = [
  { code: 'en', name: 'English' },
  { code: 'id', name: 'Bahasa Indonesia' },
]

export function LanguageSwitch() {
  const text = useTexts(frameTexts)
  const { i18n } = useLingui()
  const choose = (language: Language) => {
    changeLanguage(language).catch(() => toast.error(text('languageFailed')))
  }
  return (
    <fieldset className="language-switch">
      <legend className="visually-hidden">{text('language')}</legend>
      {LANGUAGES.map(({ code, name }) => (
        <button
          key={code}
          type="button"
          lang={code}
          title={name}
          aria-label={`${code.toUpperCase()} ${name}`}
          aria-pressed={i18n.locale === code}
          onClick={() => choose(code)}
        >
          {code.toUpperCase()}
        </button>
      ))}
    </fieldset>
  )
}
