import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { deviceMemory } from '../../shared/storage/memory.ts'

const STORAGE_KEY = 'referralCode'

/** The referral code from the current link, otherwise the one stored from an earlier link. */
export function useReferralCode(): [string, (code: string) => void] {
  const [params] = useSearchParams()
  return useState(() => {
    const fromLink = params.get('ref')?.trim() ?? ''
    if (fromLink !== '') deviceMemory.setItem(STORAGE_KEY, fromLink)
    return fromLink !== '' ? fromLink : (deviceMemory.getItem(STORAGE_KEY) ?? '')
  })
}
