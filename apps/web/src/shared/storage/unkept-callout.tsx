import { useSyncExternalStore } from 'react'
import { useTexts } from '../i18n/texts.ts'
import { Callout } from '../ui/callout.tsx'
import { deviceMemory } from './memory.ts'
import { storageTexts } from './storage.texts.ts'

/** Says what the user must do where this browser does not keep what is stored; nothing in others. */
export function UnkeptCallout({ subject }: { subject: keyof (typeof storageTexts)['english'] }) {
  const text = useTexts(storageTexts)
  const isLasting = useSyncExternalStore(deviceMemory.subscribe, deviceMemory.isLasting)
  if (isLasting) return null
  return (
    <Callout tone="warn" role="status">
      {text(subject)}
    </Callout>
  )
}
