import type { AdminTermsReply } from '@dct/api-contract/terms'
import { PUBLISHED_TEXTS, type PublishedText } from '@dct/rules/terms-placeholders'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { SelectField } from '../../shared/ui/select-field.tsx'
import { versionsQuery } from './admin-terms.api.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'
import { ConsentsTable } from './consents-table.tsx'
import { TermsEditor } from './terms-editor.tsx'

/** The terms or the privacy notice: all versions, and a form for a new one. */
export function TermsPanel() {
  const text = useTexts(adminTermsTexts)
  const [kind, setKind] = useState<PublishedText>('terms')
  return (
    <div className="stack">
      <div className="row">
        <SelectField
          label={text('kind')}
          value={kind}
          onChoose={(chosen) => setKind(PUBLISHED_TEXTS.find((one) => one === chosen) ?? 'terms')}
        >
          {PUBLISHED_TEXTS.map((one) => (
            <option key={one} value={one}>
              {text(one)}
            </option>
          ))}
        </SelectField>
      </div>
      <p className="soft">{text(kind === 'terms' ? 'hint' : 'privacyHint')}</p>
      <PublishedVersions key={kind} kind={kind} />
    </div>
  )
}

function PublishedVersions({ kind }: { kind: PublishedText }) {
  const text = useTexts(adminTermsTexts)
  const query = useQuery(versionsQuery(kind))
  if (query.data === undefined) {
    return <NotLoaded query={query}>{text('loadFailed')}</NotLoaded>
  }
  const { versions } = query.data
  return (
    <>
      <Versions kind={kind} terms={query.data} />
      {kind === 'terms' && <ConsentsTable versions={versions.map(({ version }) => version)} />}
      <TermsEditor key={versions[0]?.version} kind={kind} terms={query.data} />
    </>
  )
}

type VersionsProps = { kind: PublishedText; terms: AdminTermsReply }

function Versions({ kind, terms: { versions, in_force, today } }: VersionsProps) {
  const text = useTexts(adminTermsTexts)
  const stateOf = (version: AdminTermsReply['versions'][number]) => {
    if (version.version === in_force) return 'inForce'
    return (version.effective_day ?? '') > today ? 'upcoming' : 'replaced'
  }
  return (
    <Panel title={text('versions')}>
      {versions.length === 0 && <p className="soft">{text('noVersions')}</p>}
      <PlainTable
        caption={text('versions')}
        columns={[
          ...(['version', 'day', 'publishedAt', 'publishedBy'] as const).map((key) => ({
            header: text(key),
          })),
          ...(kind === 'terms' ? [{ header: text('acceptedBy'), align: 'end' as const }] : []),
        ]}
        rows={versions.map((one) => ({
          key: one.version,
          cells: [
            <span key="version" className="row">
              {one.version}
              <span className="badge" data-tone={stateOf(one) === 'inForce' ? 'good' : undefined}>
                {text(stateOf(one))}
              </span>
            </span>,
            one.effective_day === null ? (
              text('ofSoftware')
            ) : (
              <DateTime key="day" value={one.effective_day} />
            ),
            <DateTime key="at" value={one.published_at} />,
            one.published_by !== null && (
              <ExplorerValue key="by" chain="tron" kind="address" value={one.published_by} />
            ),
            one.accepted_by,
          ],
        }))}
      />
    </Panel>
  )
}
