import { AlarmsSection } from './alarms-section.tsx'
import { AuditsSection } from './audits-section.tsx'
import { ServiceSections } from './service-sections.tsx'

/** The service's health: alarms, watchers, background jobs and audits. */
export function HealthPanel() {
  return (
    <div className="stack">
      <AlarmsSection />
      <ServiceSections />
      <AuditsSection />
    </div>
  )
}
