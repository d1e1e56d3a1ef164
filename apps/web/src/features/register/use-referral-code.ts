import { parseReferralCode, readReferralLink } from '@dct/rules/referral-code'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { deviceMemory } from '../../shared/storage/memory.ts'

const STORAGE_KEY = 'referralCode'

type ReferralCode = {
  code: string
  setCode(code: string): void
  /** Whether the current link names a code that cannot be one. */
  isLinkDamaged: boolean
}

/** The referral code from the current link, otherwise the one stored from an earlier link. */
export function useReferralCode(): ReferralCode {
  const { search, hash } = useLocation()
  const [link] = useState(() => readReferralLink(search + hash))
  const [code, setCode] = useState(() => {
    if (link?.code !== undefined) deviceMemory.setItem(STORAGE_KEY, link.code)
    return link?.code ?? parseReferralCode(deviceMemory.getItem(STORAGE_KEY) ?? '') ?? ''
  })
  return { code, setCode, isLinkDamaged: link !== undefined && link.code === undefined }
}
