import { useTexts } from '../../shared/i18n/texts.ts'
import { UNKNOWN } from '../../shared/lib/unknown.ts'
import { useSession } from '../../shared/session/session.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { ShareButton } from '../../shared/ui/share-button.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { OVERVIEW_WORDING, overviewTexts } from './overview.texts.ts'
import './overview.css'

/** The user's referral link and code, with copy buttons. */
export function ReferralBlock() {
  const text = useTexts(overviewTexts)
  const code = useSession().user?.referral_code ?? ''
  const link = code === '' ? UNKNOWN : `${window.location.origin}/register?ref=${code}`
  return (
    <section className="panel overview__referral" aria-label={text('referral')}>
      <div className="stack stack--tight">
        <h2 className="overview__heading">{text('referral')}</h2>
        <p className="overview__link code">{link}</p>
      </div>
      <div className="row">
        <CopyOrExplain value={code === '' ? '' : link} label={OVERVIEW_WORDING.copyLink} />
        <CopyOrExplain value={code} label={OVERVIEW_WORDING.copyCode} />
        {code !== '' && <ShareButton url={link} />}
      </div>
    </section>
  )
}

function CopyOrExplain({ value, label }: { value: string; label: string }) {
  if (value !== '') return <CopyButton value={value} label={label} />
  return <QuietButton onClick={() => toast.warning(OVERVIEW_WORDING.noCode)}>{label}</QuietButton>
}
