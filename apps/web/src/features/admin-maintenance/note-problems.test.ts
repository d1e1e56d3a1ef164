import { expect, test } from 'vitest'
import { noteProblems } from './note-problems.ts'

const note = {
  ...{ text_id: 'Pembaruan', text_en: 'Upgrade' },
  ...{ starts_at: '2030-01-01T10:00', ends_at: '2030-01-01T12:00' },
}

test('a complete note has no problem', () => {
  expect(noteProblems(note)).toEqual({})
})

test('each field that is missing says so', () => {
  const none = { text_id: ' ', text_en: '', starts_at: '', ends_at: '2030-' }
  expect(Object.values(noteProblems(none))).toEqual(Array(4).fill('incomplete'))
})

test('a note that begins after its end says so at its end', () => {
  expect(noteProblems({ ...note, starts_at: '2030-01-01T13:00' })).toEqual({ ends_at: 'backwards' })
})
