import { type BusinessDay, businessDayOf } from '@dct/rules/business-day'
import { useBusinessNow } from '../config/business-time.ts'
import { useLanguage } from '../i18n/texts.ts'
import { relativeDay } from './relative-day.ts'

/** The distance from today to a day, in words. */
export function useRelativeDay(day: BusinessDay): string {
  return relativeDay(day, businessDayOf(useBusinessNow()), useLanguage())
}
