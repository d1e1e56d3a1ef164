import { AlarmsSection } from './alarms-section.tsx'
import { AuditsSection } from './audits-section.tsx'
import { ServiceSections } from './service-sections.tsx'

/** Whether the service is well: alarms, watchers, standing work, audits. */
export function HealthPanel() {
  return (
    <div className="stack">
      <AlarmsSection />
      <ServiceSections />
      <AuditsSection />
    </div>
  )
}
