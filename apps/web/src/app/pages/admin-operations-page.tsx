import { FindCase } from '../../features/admin-case/find-case.tsx'
import { PaymentsPanel } from '../../features/admin-payments/payments-panel.tsx'
import { PayoutsPanel } from '../../features/admin-payouts/payouts-panel.tsx'
import { ProposalsPanel } from '../../features/admin-proposals/proposals-panel.tsx'
import { useTexts } from '../../shared/i18n/texts.ts'
import { AdminTabsPage } from '../admin-tabs-page.tsx'
import { frameTexts } from '../frame.texts.ts'
import { operationsTexts } from './admin-operations-page.texts.ts'

const TABS = [
  { id: 'payments', content: <PaymentsPanel />, kinds: ['payments'] },
  { id: 'payouts', content: <PayoutsPanel />, kinds: ['payouts'] },
  { id: 'approvals', content: <ProposalsPanel />, kinds: ['approvals'] },
  { id: 'cases', content: <FindCase /> },
] as const

/** What admins do for single holders: their payments, payouts and cases, and one another's second approval. */
export function AdminOperationsPage() {
  const text = useTexts(operationsTexts)
  const title = useTexts(frameTexts)('operations')
  return <AdminTabsPage title={title} tabs={TABS.map((tab) => ({ ...tab, name: text(tab.id) }))} />
}
