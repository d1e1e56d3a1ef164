import type { RegisterReply } from '@dct/api-contract/auth'
import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { registerTexts } from './register.texts.ts'

/** How long this is shown before the login page opens. */
export const LEAVES_AFTER_MS = 4_000

/** What a new user should know: their own code and who referred them. */
export function Registered({ answer }: { answer: Partial<RegisterReply> }) {
  const text = useTexts(registerTexts)
  const code = answer.referral_code
  return (
    <section className="panel" aria-live="polite">
      <dl className="stack">
        <div className="stack stack--tight">
          <dt className="soft small">{text('ownCode')}</dt>
          <dd className="row">
            <strong className="code">{code ?? UNKNOWN}</strong>
            {code && <CopyButton value={code} label={text('copyCode')} iconOnly />}
          </dd>
        </div>
        {answer.referrer_tron_address && (
          <div className="stack stack--tight">
            <dt className="soft small">{text('referrer')}</dt>
            <dd className="code">{answer.referrer_tron_address}</dd>
          </div>
        )}
      </dl>
      <p className="soft">{text('goingToLogin', { seconds: LEAVES_AFTER_MS / 1_000 })}</p>
    </section>
  )
}
