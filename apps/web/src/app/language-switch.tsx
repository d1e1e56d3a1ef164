import { LANGUAGES, type Language } from '@dct/api-contract/languages'
import { changeLanguage } from '../shared/i18n/language.ts'
import { useLanguage, useTexts } from '../shared/i18n/texts.ts'
import { toast } from '../shared/ui/toast-store.ts'
import { frameTexts } from './frame.texts.ts'
import './language-switch.css'

const CHOICES = Object.entries(LANGUAGES) as [Language, string][]

export function LanguageSwitch() {
  const text = useTexts(frameTexts)
  const current = useLanguage()
  const choose = (language: Language) => {
    changeLanguage(language).catch(() => toast.error(text('languageFailed')))
  }
  return (
    <fieldset className="language-switch">
      <legend className="visually-hidden">{text('language')}</legend>
      {CHOICES.map(([code, name]) => (
        <button
          key={code}
          type="button"
          lang={code}
          title={name}
          aria-label={`${code.toUpperCase()} ${name}`}
          aria-pressed={current === code}
          onClick={() => choose(code)}
        >
          {code.toUpperCase()}
        </button>
      ))}
    </fieldset>
  )
}
