import { alarmRule } from '@dct/api-contract/alarms'
import { isAlarm, type Message, subjectOf, TEST_TYPE } from '../message.ts'

/** The site that a message comes from. */
export type Sender = { brand: string; origin: string }

const LONGEST_TEXT = 3_500
const STATES: Readonly<Record<string, string>> = {
  'alarm.raised': 'Alarm',
  'alarm.reminded': 'Still open',
  'alarm.resolved': 'Resolved',
}

/** The title and the text of a message for people. */
export function messageText(
  message: Message,
  { brand, origin }: Sender,
): { title: string; text: string } {
  const page = `${origin}/admin/control?tab=health`
  const words = `${message.data.message}`.slice(0, LONGEST_TEXT)
  const lines = isAlarm(message)
    ? [
        ...[words, '', `Severity: ${message.severity}`, `Raised: ${message.data.raised_at}`],
        ...(Number(message.data.times ?? 1) > 1 ? [`Found ${message.data.times} times`] : []),
        ...[`What to do: docs/runbooks/${alarmRule(`${message.data.kind}`).runbook}.md`, page],
      ]
    : [words, page]
  const text = [...lines, `Message ${message.id}`].join('\n')
  return { title: `${brand}: ${headline(message)}`, text }
}

function headline(message: Message): string {
  if (message.type === TEST_TYPE) return 'test message'
  const state = STATES[message.type] ?? message.type
  const urgency = message.severity === 'critical' ? ' (critical)' : ''
  return `${state}${urgency}: ${subjectOf(message)}`
}
