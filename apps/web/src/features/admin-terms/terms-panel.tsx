import type { AdminTermsReply } from '@dct/api-contract/terms'
import { useQuery } from '@tanstack/react-query'
import { useTexts } from '../../shared/i18n/texts.ts'
import { DateTime } from '../../shared/ui/date-time.tsx'
import { ExplorerValue } from '../../shared/ui/explorer-value.tsx'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Panel } from '../../shared/ui/panel.tsx'
import { PlainTable } from '../../shared/ui/plain-table.tsx'
import { adminTermsQuery } from './admin-terms.api.ts'
import { adminTermsTexts } from './admin-terms.texts.ts'
import { ConsentsTable } from './consents-table.tsx'
import { TermsEditor } from './terms-editor.tsx'

/** The versions of the terms, and a form for a new one. */
export function TermsPanel() {
  const text = useTexts(adminTermsTexts)
  const query = useQuery(adminTermsQuery)
  if (query.data === undefined) {
    return <NotLoaded query={query}>{text('loadFailed')}</NotLoaded>
  }
  return (
    <div className="stack">
      <p className="soft">{text('hint')}</p>
      <Versions terms={query.data} />
      <ConsentsTable versions={query.data.versions.map(({ version }) => version)} />
      <TermsEditor key={query.data.versions[0]?.version} terms={query.data} />
    </div>
  )
}

function Versions({ terms: { versions, in_force, today } }: { terms: AdminTermsReply }) {
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
          { header: text('acceptedBy'), align: 'end' },
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
