import { type BusinessDay, daysBetween } from '@dct/rules/business-day'

/** The distance between two days in words, as a calendar counts it: "today", "tomorrow", "in 9 days". */
export function relativeDay(day: BusinessDay, today: BusinessDay, language: string): string {
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto' })
  return words.format(daysBetween(today, day), 'day')
}
