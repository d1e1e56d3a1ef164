import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test.each([
  ['=1+1', "'=1+1"],
  ['+49 30', "'+49 30"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', `"'\t'=1"`],
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['  =1', "'  =1"],
  ['\u00a0＋1', "'\u00a0＋1"],
  ['\0@x', "'\0@x"],
  ['a;=cmd()@example.org', `"a;'=cmd()@example.org"`],
  ['a; -1', `"a;' -1"`],
  ['a\t+1', `"a\t'+1"`],
  ['a|@x', `"a|'@x"`],
  ['"=1', `"'""=1"`],
  ['a;"=1+1;', `"a;'""=1+1;"`],
  ['a\t" \u200b"@x', `"a\t'"" \u200b""@x"`],
  ['\u200b=1', "'\u200b=1"],
  ['﹦1', "'﹦1"],
  ['one\r\n=2', `"one\r'\n'=2"`],
  ['－1', "'－1"],
  ['＝1+1', "'＝1+1"],
  ['=HYPERLINK("x","y")', `"'=HYPERLINK(""x"",""y"")"`],
])('the text %j cannot act as a formula', (text, cell) => {
  expect(csvLine([text])).toBe(`${cell}\r\n`)
})

test.each([
  '-1',
  '-0.500000',
  '12.500000',
  '0',
  '2026-01-31',
  'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
])('%s is unchanged', (text) => expect(csvLine([text])).toBe(`${text}\r\n`))

test('an instant is in business time, so that its day is the one that lists show', () => {
  expect(csvLine(['2026-01-31T17:00:00.000Z', '2026-01-31T16:59:59Z'])).toBe(
    '2026-02-01 00:00:00 UTC+7,2026-01-31 23:59:59 UTC+7\r\n',
  )
})

test.each(['a;b', 'a|b', 'a\tb', ' a', 'a '])('%j is quoted, wherever fields end', (text) =>
  expect(csvLine([text])).toBe(`"${text}"\r\n`),
)

test('commas, quotes, line ends and spaces at the ends are quoted', () => {
  expect(csvLine(['a,b', 'say "no"', 'two\nlines', ' x ', 'plain'])).toBe(
    '"a,b","say ""no""","two\nlines"," x ",plain\r\n',
  )
})

test('null is an empty cell, numbers and booleans are text, objects are JSON', () => {
  expect(csvLine([null, undefined, 3, true, false, { a: 1, b: '=x' }])).toBe(
    ',,3,true,false,"{""a"":1,""b"":""=x""}"\r\n',
  )
})
