import { useEffect, useState } from 'react'
import { tabMemory } from '../../shared/storage/memory.ts'

export type JoinDraft = { planCode: string; amount: string }

const KEY = 'joinDraft'
const EMPTY: JoinDraft = { planCode: '', amount: '' }

/** The chosen plan and the entered amount, which survive a reload of this tab. */
export function useJoinDraft(): [JoinDraft, (change: Partial<JoinDraft>) => void] {
  const [draft, setDraft] = useState(readDraft)
  useEffect(() => tabMemory.setItem(KEY, JSON.stringify(draft)), [draft])
  return [draft, (change) => setDraft((before) => ({ ...before, ...change }))]
}

function readDraft(): JoinDraft {
  try {
    const { planCode, amount } = JSON.parse(tabMemory.getItem(KEY) ?? '{}')
    return { planCode: String(planCode ?? ''), amount: String(amount ?? '') }
  } catch {
    return EMPTY
  }
}
