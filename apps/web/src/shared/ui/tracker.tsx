import type { ReactNode } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { DrawnTick } from './drawn-tick.tsx'
import { uiTexts } from './ui.texts.ts'
import './tracker.css'

type TrackerProps = {
  label: string
  steps: readonly { name: string; link?: ReactNode }[]
  /** How many steps are done; the next one is under way. */
  done: number
}

/** The steps of something that goes on by itself; screen readers hear each one as it is done. */
export function Tracker({ label, steps, done }: TrackerProps) {
  const text = useTexts(uiTexts)
  const goesOn = done > 0 && done < steps.length
  return (
    <>
      <ol className="tracker" aria-label={label} aria-live="polite">
        {steps.map(({ name, link }, index) => (
          <li
            key={name}
            data-state={index < done ? 'done' : index === done ? 'active' : 'waiting'}
            aria-current={index === done ? 'step' : undefined}
          >
            {index < done ? <DrawnTick /> : <span className="tracker__mark" aria-hidden="true" />}
            <span>
              {name} {link}
            </span>
            {index < done && <span className="visually-hidden">{text('done')}</span>}
          </li>
        ))}
      </ol>
      {goesOn && <p className="soft small">{text('goesOn')}</p>}
    </>
  )
}
