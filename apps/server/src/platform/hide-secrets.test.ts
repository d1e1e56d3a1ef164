import { expect, test } from 'vitest'
import { createLogger } from './logger.ts'

/** The line that the logger writes for this data. */
function lineOf(facts: object): string {
  const lines: string[] = []
  createLogger('info', { write: (line) => void lines.push(line) }).info(facts, 'said')
  return lines.join('')
}

test('a secret never reaches a log line, however deeply nested', () => {
  const line = lineOf({
    authorization: 'Bearer s3cret',
    request: {
      headers: { authorization: 's3cret', cookie: 's3cret' },
      body: [{ signature: 's3cret' }],
    },
    config: { tron: { operatorKey: { privateKey: 's3cret' }, apiKey: 's3cret' } },
  })
  expect(line).toContain('[hidden]')
  expect(line).not.toContain('s3cret')
})

test('the fields and causes of errors are searched too', () => {
  const cause = Object.assign(new Error('inner'), {
    config: { headers: { Authorization: 's3cret' } },
  })
  const line = lineOf({
    err: Object.assign(new Error('outer', { cause }), { smtpPassword: 's3cret' }),
  })
  expect(JSON.parse(line).err).toMatchObject({ type: 'Error', smtpPassword: '[hidden]' })
  expect(line).toContain('outer')
  expect(line).not.toContain('s3cret')
})

test('dates and large numbers are logged as usual, and circular references are cut', () => {
  const circle: Record<string, unknown> = { at: new Date(0), amount: 2n ** 70n }
  circle.self = circle
  const line = JSON.parse(lineOf(circle).replace(/:(\d{17,})/g, ':"$1"'))
  expect(line).toMatchObject({ at: '1970-01-01T00:00:00.000Z', amount: '1180591620717411303424' })
})
