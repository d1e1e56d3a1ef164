import { formatAmount, parseAmount } from '@dct/money'
import { publishedDay } from '@dct/rules/sum-tree'
import { judgeOwed, readOwedFile, type StatedOwed } from '../src/judge-owed.ts'
import { BALANCE_OF, OWED_ON } from '../src/node-calls.ts'
import { type Language, OWED_WORDS } from '../src/words.ts'

const TEXTS = {
  en: {
    title: 'Am I in the list?',
    lead: 'This page works on its own: it was opened from your disk and asks nobody, except a BSC node if you name one.',
    file: 'The contents of the file that you downloaded',
    shown: 'What your pages showed as owed to you at that day’s end, in USDT (if you know)',
    node: 'A BSC node of your choice (to compare what the vault holds and what was published in it)',
    vault: 'The vault’s address',
    usdt: 'The address of USDT on BSC',
    check: 'Check',
    day: 'Day',
    root: 'Root',
    everybody: 'Owed to everybody',
    you: 'Owed to you',
    held: 'Held by the vault now',
    failed: 'Not checked',
  },
  id: {
    title: 'Apakah saya ada dalam daftar?',
    lead: 'Halaman ini bekerja sendiri: dibuka dari disk Anda dan tidak bertanya kepada siapa pun, kecuali node BSC jika Anda menyebutkannya.',
    file: 'Isi berkas yang Anda unduh',
    shown:
      'Yang ditampilkan halaman Anda sebagai utang kepada Anda pada akhir hari itu, dalam USDT (jika tahu)',
    node: 'Node BSC pilihan Anda (untuk membandingkan isi vault dan yang diumumkan di dalamnya)',
    vault: 'Alamat vault',
    usdt: 'Alamat USDT di BSC',
    check: 'Periksa',
    day: 'Hari',
    root: 'Akar',
    everybody: 'Terutang kepada semua',
    you: 'Terutang kepada Anda',
    held: 'Isi vault sekarang',
    failed: 'Tidak diperiksa',
  },
} as const

const NODE_TIMEOUT_MS = 15_000
const WORD_DIGITS = 64

const language: Language = navigator.language.startsWith('id') ? 'id' : 'en'
const texts = TEXTS[language]

function show(lines: readonly string[]): void {
  const items = lines.map((line) => {
    const item = document.createElement('li')
    item.textContent = line
    return item
  })
  document.querySelector('ul')?.replaceChildren(...items)
}

async function check(form: FormData): Promise<string[]> {
  const given = (name: string) => `${form.get(name) ?? ''}`.trim()
  const file = readOwedFile(given('file'))
  const shown = given('shown') === '' ? undefined : parseAmount('USDT', given('shown'))
  const { published, proof } = file
  const isAlone = given('node') === ''
  const held = isAlone ? undefined : await readHeld(given)
  const stated = isAlone ? undefined : await readStated(given, published.day)
  return [
    `${texts.day}: ${published.day}`,
    `${texts.root}: ${published.root}`,
    `${texts.everybody}: ${inUsdt(BigInt(published.sum))}`,
    `${texts.you}: ${inUsdt(BigInt(proof?.owed ?? 0))}`,
    ...(held === undefined ? [] : [`${texts.held}: ${inUsdt(held)}`]),
    ...judgeOwed({ ...file, shown, held, stated }).map(
      ({ isGood, code }) => `${isGood ? '✔' : '✘'} ${OWED_WORDS[language][code]}`,
    ),
  ]
}

const inUsdt = (units: bigint) => `${formatAmount('USDT', units)} USDT`

type Given = (name: string) => string

async function readHeld(given: Given): Promise<bigint> {
  const vault = addressIn(given, 'vault').slice(2).toLowerCase()
  const [held = 0n] = await readWords(given, {
    to: addressIn(given, 'usdt'),
    data: `${BALANCE_OF}${vault.padStart(WORD_DIGITS, '0')}`,
    words: 1,
  })
  return held
}

async function readStated(given: Given, day: string): Promise<StatedOwed> {
  const number = publishedDay(day).toString(16).padStart(WORD_DIGITS, '0')
  const call = { to: addressIn(given, 'vault'), data: `${OWED_ON}${number}`, words: 3 }
  const [root = 0n, sum = 0n, times = 0n] = await readWords(given, call)
  return { root: root.toString(16).padStart(WORD_DIGITS, '0'), sum, times }
}

function addressIn(given: Given, name: string): string {
  const address = given(name)
  if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new Error(address)
  return address
}

/** Calls a view that returns so many words of 32 bytes. */
async function readWords(
  given: Given,
  { to, data, words }: { to: string; data: string; words: number },
): Promise<bigint[]> {
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] }
  const reply = await fetch(given('node'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    signal: AbortSignal.timeout(NODE_TIMEOUT_MS),
  })
  const { result }: { result?: unknown } = await reply.json()
  const isWhole =
    typeof result === 'string' &&
    /^0x[0-9a-f]*$/i.test(result) &&
    result.length === 2 + words * WORD_DIGITS
  if (!isWhole) throw new Error(given('node'))
  return Array.from({ length: words }, (_, at) =>
    BigInt(`0x${result.slice(2 + at * WORD_DIGITS, 2 + (at + 1) * WORD_DIGITS)}`),
  )
}

document.documentElement.lang = language
document.title = texts.title
for (const [name, text] of Object.entries(texts)) {
  const element = document.querySelector(`[data-text="${name}"]`)
  if (element !== null) element.textContent = text
}
document.querySelector('form')?.addEventListener('submit', async (event) => {
  event.preventDefault()
  try {
    show(await check(new FormData(event.target as HTMLFormElement)))
  } catch (error) {
    show([`✘ ${texts.failed}: ${error instanceof Error ? error.message : error}`])
  }
})
