import { useState } from 'react'
import { useSearchParams } from 'react-router'

const STORAGE_KEY = 'referralCode'

/** The referral code from the current link, otherwise the one stored from an earlier link. */
export function useReferralCode(): [string, (code: string) => void] {
  const [params] = useSearchParams()
  return useState(() => {
    const fromLink = params.get('ref')?.trim() ?? ''
    if (fromLink !== '') localStorage.setItem(STORAGE_KEY, fromLink)
    return fromLink !== '' ? fromLink : (localStorage.getItem(STORAGE_KEY) ?? '')
  })
}
