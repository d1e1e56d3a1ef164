import { type BusinessDay, businessDayOf, startOfBusinessDay } from '@dct/rules/business-day'
import { clock } from '../clock.ts'
import { usePublicConfig } from './public-config.ts'

/**
 * The best estimate of business time in the browser: its own clock if that is on the same business day as the service,
 * otherwise the start of the service's day (a development chain may be days ahead, and a browser's clock may be wrong).
 */
export function useBusinessNow(): Date {
  const day = usePublicConfig()?.business_date
  return businessNow(clock.now(), day)
}

export function businessNow(browserNow: Date, serviceDay: string | undefined): Date {
  if (serviceDay === undefined || businessDayOf(browserNow) === serviceDay) return browserNow
  return startOfBusinessDay(serviceDay as BusinessDay)
}
