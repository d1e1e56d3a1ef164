import { type BusinessDay, businessDayOf, startOfBusinessDay } from '@dct/rules/business-day'
import { clock } from '../clock.ts'
import { usePublicConfig } from './public-config.ts'

/**
 * The product's time as far as the browser can tell it: its own clock while that agrees on the day
 * with the service, else the start of the service's day (a development chain may be days ahead, and a
 * browser's clock may be wrong).
 */
export function useBusinessNow(): Date {
  const day = usePublicConfig()?.business_date
  return businessNow(clock.now(), day)
}

export function businessNow(browserNow: Date, serviceDay: string | undefined): Date {
  if (serviceDay === undefined || businessDayOf(browserNow) === serviceDay) return browserNow
  return startOfBusinessDay(serviceDay as BusinessDay)
}
