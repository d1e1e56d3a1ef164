import { BUSINESS_ZONE_NAME, businessTimeOf } from '@dct/rules/business-day'

/** A calendar entry. Its ID never changes, so that importing a newer file moves the entry. */
export type CalendarEntry = {
  id: string
  title: string
  text: string
  from: Date
  to: Date
}
export type CalendarFrame = {
  /** Who created it, e.g. the brand. */
  maker: string
  /** The site's host, which makes the IDs globally unique. */
  host: string
  url: string
  /** When the file is written. A newer file overrides an older one. */
  now: Date
}

const LINE_OCTETS = 75
const CRLF = '\r\n'

/** Business time as a calendar knows it: this zone has been UTC+7 since 1964. */
const ZONE = 'Asia/Jakarta'
const ZONE_LINES = [
  'BEGIN:VTIMEZONE',
  `TZID:${ZONE}`,
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0700',
  'TZOFFSETTO:+0700',
  `TZNAME:${BUSINESS_ZONE_NAME}`,
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** Writes a calendar file (RFC 5545). Entries are in business time, with a reminder one day before. */
export function calendarFile(entries: readonly CalendarEntry[], frame: CalendarFrame): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:-//${escapeText(frame.maker)}//Claim deadlines//EN`,
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    ...ZONE_LINES,
    ...entries.flatMap((entry) => entryLines(entry, frame)),
    'END:VCALENDAR',
  ]
  return lines.map((line) => foldLine(line) + CRLF).join('')
}

function entryLines(entry: CalendarEntry, { host, url, now }: CalendarFrame): string[] {
  return [
    'BEGIN:VEVENT',
    `UID:${entry.id}@${host}`,
    // Seconds since 1970: increases with every file, so that calendars keep the latest.
    `SEQUENCE:${Math.floor(now.getTime() / 1000)}`,
    `DTSTAMP:${utc(now)}`,
    `LAST-MODIFIED:${utc(now)}`,
    `DTSTART;TZID=${ZONE}:${inZone(entry.from)}`,
    `DTEND;TZID=${ZONE}:${inZone(entry.to)}`,
    `SUMMARY:${escapeText(entry.title)}`,
    `DESCRIPTION:${escapeText(entry.text)}`,
    `URL:${url}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escapeText(entry.title)}`,
    'TRIGGER:-P1D',
    'END:VALARM',
    'END:VEVENT',
  ]
}

/** Formats an instant in business time like 20260602T000000. */
function inZone(instant: Date): string {
  return businessTimeOf(instant).replace(' ', 'T').replace(/[-:]/g, '')
}

/** Formats an instant like 20260601T170000Z, which its own stamps must be. */
function utc(instant: Date): string {
  return `${instant.toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function escapeText(text: string): string {
  return text.replace(/[\\;,]/g, '\\$&').replace(/\r?\n/g, '\\n')
}

/** Lines hold at most 75 octets; the rest continues after a line break and a space. No character is split. */
export function foldLine(line: string): string {
  const size = (text: string) => new TextEncoder().encode(text).length
  const parts = ['']
  for (const sign of line) {
    const room = LINE_OCTETS - (parts.length > 1 ? 1 : 0)
    const last = parts.length - 1
    if (size(`${parts[last]}${sign}`) > room) parts.push(sign)
    else parts[last] += sign
  }
  return parts.join(`${CRLF} `)
}
