import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from 'react-router'
import { caseQuery } from '../../features/admin-case/admin-case.api.ts'
import { adminCaseTexts } from '../../features/admin-case/admin-case.texts.ts'
import { CaseBooks } from '../../features/admin-case/case-books.tsx'
import { CaseLinks } from '../../features/admin-case/case-links.tsx'
import { CaseNotes } from '../../features/admin-case/case-notes.tsx'
import { CaseFacts } from '../../features/case-facts/case-facts.tsx'
import { errorText } from '../../shared/api/api-error.ts'
import { useTexts } from '../../shared/i18n/texts.ts'
import { NotLoaded } from '../../shared/ui/not-loaded.tsx'
import { Page } from '../../shared/ui/page.tsx'

/** Everything about one claim. */
export function AdminCasePage() {
  const text = useTexts(adminCaseTexts)
  const { code = '' } = useParams()
  const query = useQuery(caseQuery(code))
  const found = query.data
  const name = found?.case.code_claim ?? code
  return (
    <Page
      title={text('title', { code: name })}
      size="wide"
      lead={<Link to="/admin/operations?tab=cases">{text('back')}</Link>}
    >
      {found === undefined ? (
        <NotLoaded query={query}>{errorText(query.error, text('failed'))}</NotLoaded>
      ) : (
        <>
          <CaseFacts found={found.case} />
          <CaseBooks found={found} />
          <CaseNotes code={code} notes={found.notes} />
          <CaseLinks code={code} links={found.links} />
        </>
      )}
    </Page>
  )
}
