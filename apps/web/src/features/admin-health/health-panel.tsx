import { AlarmsSection } from './alarms-section.tsx'
import { AuditsSection } from './audits-section.tsx'
import { DeliveriesSection } from './deliveries-section.tsx'
import { ServiceSections } from './service-sections.tsx'

/** The service's health: alarms and who was notified, watchers, background jobs and audits. */
export function HealthPanel() {
  return (
    <div className="stack">
      <AlarmsSection />
      <DeliveriesSection />
      <ServiceSections />
      <AuditsSection />
    </div>
  )
}
