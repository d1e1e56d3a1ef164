import type { Codes } from '@dct/api-contract/codes'
import { codeWords } from '../i18n/code-words.ts'
import { useLanguage } from '../i18n/texts.ts'

/** A code of the service in words, with the code as its tooltip; an unknown code is shown unchanged. */
export function CodeName({ codes, code }: { codes: Codes; code: string }) {
  useLanguage()
  const words = codeWords(codes, code)
  return words === undefined ? (
    <span className="code">{code}</span>
  ) : (
    <span title={code}>{words}</span>
  )
}
