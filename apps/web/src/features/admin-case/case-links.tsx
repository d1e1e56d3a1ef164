import type { CaseReply } from '@dct/api-contract/reports'
import { useState } from 'react'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { formatDate } from '../../shared/lib/date.ts'
import { shorten } from '../../shared/lib/shorten.ts'
import { Callout } from '../../shared/ui/callout.tsx'
import { CopyButton } from '../../shared/ui/copy-button.tsx'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { QuietButton } from '../../shared/ui/quiet-button.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { toast } from '../../shared/ui/toast-store.ts'
import { useMakeLink, useRevokeLink } from './admin-case.api.ts'
import { adminCaseTexts } from './admin-case.texts.ts'

type CaseLinksProps = { code: string; links: CaseReply['links'] }
const CHOICES = [
  ['24', 'hoursOne'],
  ['72', 'hoursThree'],
  ['168', 'hoursSeven'],
] as const

/** Links that show a case to people without an account. */
export function CaseLinks({ code, links }: CaseLinksProps) {
  const text = useTexts(adminCaseTexts)
  const [hours, setHours] = useState('24')
  const make = useMakeLink(code)
  const revoke = useRevokeLink(code)
  const address = make.data && `${window.location.origin}/support/case/${make.data.token}`
  return (
    <Panel title={text('links')}>
      <p className="soft">{text('linksHint')}</p>
      <div className="row">
        <SelectField label={text('hours')} value={hours} onChoose={setHours}>
          {CHOICES.map(([value, name]) => (
            <option key={value} value={value}>
              {text(name)}
            </option>
          ))}
        </SelectField>
        <button
          type="button"
          className="button"
          disabled={make.isPending}
          onClick={() =>
            make.mutate(Number(hours), {
              onError: (error) => toast.error(errorText(error, text('linkFailed'))),
            })
          }
        >
          {text('makeLink')}
        </button>
      </div>
      {address && (
        <Callout role="status">
          <p>{text('newLink')}</p>
          <p className="code">{address}</p>
          <p>
            <CopyButton value={address} label={text('copyLink')} />
          </p>
        </Callout>
      )}
      <ul className="records stack">
        {links.map((link) => (
          <li key={link.id} className="row">
            <span className="badge" data-tone={link.is_open ? 'good' : undefined}>
              {text(link.is_open ? 'linkOpen' : 'linkOver')}
            </span>
            <DateTime value={link.created_at} />
            <span className="soft" title={link.created_by}>
              {shorten(link.created_by)}
            </span>
            <span className="soft">
              {text('linkUntil', { time: formatDate(link.expires_at) ?? '' })}
            </span>
            {link.is_open && (
              <QuietButton
                disabled={revoke.isPending}
                onClick={() =>
                  revoke.mutate(link.id, {
                    onError: (error) => toast.error(errorText(error, text('revokeFailed'))),
                  })
                }
              >
                {text('revoke')}
              </QuietButton>
            )}
          </li>
        ))}
      </ul>
    </Panel>
  )
}
