import { readReferralLink } from '@dct/rules/referral-code'
import { Navigate, useLocation } from 'react-router'

/** A path without a page: the registration if it is what is left of a referral link, otherwise the login. */
export function Lost() {
  const { pathname, search, hash } = useLocation()
  const code = readReferralLink(pathname + search + hash)?.code
  return <Navigate to={code === undefined ? '/login' : `/register?ref=${code}`} replace />
}
