import { formatAmount, parseAmount } from '@dct/money'
import { judgeOwed, readOwedFile } from '../src/judge-owed.ts'
import { type Language, OWED_WORDS } from '../src/words.ts'

const TEXTS = {
  en: {
    title: 'Am I in the list?',
    lead: 'This page works on its own: it was opened from your disk and asks nobody, except a BSC node if you name one. Compare the root below with the one that others see.',
    file: 'The contents of the file that you downloaded',
    shown: 'What your pages showed as owed to you at that day’s end, in USDT (if you know)',
    node: 'A BSC node of your choice (to compare what the vault holds)',
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
    lead: 'Halaman ini bekerja sendiri: dibuka dari disk Anda dan tidak bertanya kepada siapa pun, kecuali node BSC jika Anda menyebutkannya. Bandingkan akar di bawah dengan yang dilihat orang lain.',
    file: 'Isi berkas yang Anda unduh',
    shown:
      'Yang ditampilkan halaman Anda sebagai utang kepada Anda pada akhir hari itu, dalam USDT (jika tahu)',
    node: 'Node BSC pilihan Anda (untuk membandingkan isi vault)',
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
const BALANCE_OF = '0x70a08231'

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
  const held = given('node') === '' ? undefined : await readHeld(given)
  const { published, proof } = file
  return [
    `${texts.day}: ${published.day}`,
    `${texts.root}: ${published.root}`,
    `${texts.everybody}: ${inUsdt(BigInt(published.sum))}`,
    `${texts.you}: ${inUsdt(BigInt(proof?.owed ?? 0))}`,
    ...(held === undefined ? [] : [`${texts.held}: ${inUsdt(held)}`]),
    ...judgeOwed({ ...file, shown, held }).map(
      ({ isGood, code }) => `${isGood ? '✔' : '✘'} ${OWED_WORDS[language][code]}`,
    ),
  ]
}

const inUsdt = (units: bigint) => `${formatAmount('USDT', units)} USDT`

async function readHeld(given: (name: string) => string): Promise<bigint> {
  const [vault, usdt] = [given('vault'), given('usdt')]
  for (const address of [vault, usdt]) {
    if (!/^0x[0-9a-fA-F]{40}$/.test(address)) throw new Error(address)
  }
  const data = `${BALANCE_OF}${vault.slice(2).toLowerCase().padStart(64, '0')}`
  const call = { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to: usdt, data }, 'latest'] }
  const reply = await fetch(given('node'), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call),
    signal: AbortSignal.timeout(NODE_TIMEOUT_MS),
  })
  const { result }: { result?: unknown } = await reply.json()
  if (typeof result !== 'string' || !/^0x[0-9a-f]{64}$/i.test(result))
    throw new Error(given('node'))
  return BigInt(result)
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
