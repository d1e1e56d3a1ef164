/** Checks alone, over nodes of one's own choice, what a wallet is promised, was paid, and can count on. */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { createEvmClient, createTronClient } from '@dct/chain-clients'
import { formatAmount, parseAmount } from '@dct/money'
import { parseEvmAddress, parseTronAddress } from '@dct/rules/addresses'
import { bytesToHex, type Hex } from 'viem'
import { judgeOwed, type OwedFile, readOwedFile } from './judge-owed.ts'
import { judgeContracts, judgeStake, listCycles, type Sentence } from './judge-stake.ts'
import { readVault, readWallet } from './read-wallet.ts'
import { IF_THEY_LIED, OWED_WORDS } from './words.ts'

const USAGE = `dct-verify --wallet T… --staking T… --plans PLAN-360,… --tron URL [--cycles]
           [--owed FILE [--shown USDT] [--bsc URL --vault 0x… --usdt 0x…]]

  --tron     a Tron node's HTTP address; JSON-RPC is asked at URL/jsonrpc, or at --tron-rpc
  --owed     the file that the transparency page lets you download; without it the stakes alone are checked
  --shown    what your pages showed as owed at that day's end
  --bsc      a BSC node's address, to compare the list with what the vault holds and what was published there
  --cycles   list every cycle

Exit code 0: all is as it must be. 1: something is not. 2: it could not be checked.`

const OPTIONS = {
  wallet: { type: 'string' },
  staking: { type: 'string' },
  plans: { type: 'string' },
  tron: { type: 'string' },
  'tron-rpc': { type: 'string' },
  owed: { type: 'string' },
  shown: { type: 'string' },
  bsc: { type: 'string' },
  vault: { type: 'string' },
  usdt: { type: 'string' },
  cycles: { type: 'boolean' },
} as const

type Given = ReturnType<typeof parseArgs<{ options: typeof OPTIONS }>>['values']

async function main(args: string[]): Promise<number> {
  const { values: given } = parseArgs({ args, options: OPTIONS })
  if (given.wallet === undefined && given.owed === undefined) throw new Error('nothing to check')
  const sentences: { isGood: boolean }[] = [
    ...(await checkWallet(given)),
    ...(await checkOwed(given)),
  ]
  const wrong = sentences.filter(({ isGood }) => !isGood).length
  say(
    wrong === 0
      ? '\nAll of this is as it must be.'
      : `\n${wrong} of these are NOT as they must be.`,
  )
  return wrong === 0 ? 0 : 1
}

async function checkWallet(given: Given): Promise<Sentence[]> {
  if (given.wallet === undefined) return []
  const url = required(given, 'tron')
  const jsonRpc = { url: given['tron-rpc'] ?? `${url}/jsonrpc` }
  const facts = await readWallet({
    tron: createTronClient({ http: { url }, jsonRpc }),
    staking: tronAddress(required(given, 'staking')),
    wallet: tronAddress(given.wallet),
    planCodes: required(given, 'plans').split(','),
  })
  say(`Tron, final block ${facts.at.number} of ${facts.at.time.toISOString()}`)
  const all: Sentence[] = []
  for (const stake of facts.stakes) {
    say(`\nStake ${stake.id} in ${stake.plan.code}`)
    all.push(...told(judgeStake(stake, facts)))
    if (given.cycles === true) for (const line of listCycles(stake, facts)) say(`    ${line}`)
  }
  if (facts.stakes.length === 0) say('\nThis wallet has no stake in these plans.')
  say('\nThe contracts')
  all.push(...told(judgeContracts(facts)))
  sayOtherwise(all.map(({ otherwise }) => otherwise))
  return all
}

async function checkOwed(given: Given): Promise<Told[]> {
  if (given.owed === undefined) return []
  const file = readOwedFile(readFileSync(given.owed, 'utf8'))
  const { published, proof } = file
  say(`\nReferral rewards owed at the end of ${published.day}`)
  if (proof !== null && given.wallet !== undefined && proof.tron_address !== given.wallet) {
    throw new Error(`the file is that of ${proof.tron_address}`)
  }
  const shown = given.shown === undefined ? undefined : parseAmount('USDT', given.shown)
  const vault = await vaultOn(given, published.day)
  describeOwed(file, vault.held)
  const findings = judgeOwed({ ...file, shown, ...vault })
  const sentences = findings.map(({ isGood, code }) => ({ isGood, text: OWED_WORDS.en[code] }))
  told(sentences)
  sayOtherwise(IF_THEY_LIED)
  return sentences
}

function describeOwed({ published, proof }: OwedFile, held: bigint | undefined): void {
  const usdt = (units: bigint) => `${formatAmount('USDT', units)} USDT`
  say(`  root ${published.root}`)
  say(
    `  owed to everybody ${usdt(BigInt(published.sum))}, to you ${usdt(BigInt(proof?.owed ?? 0))}`,
  )
  if (held !== undefined) say(`  held by the vault now ${usdt(held)}`)
}

async function vaultOn(given: Given, day: string) {
  if (given.bsc === undefined) return { held: undefined, stated: undefined }
  const vault = evmAddress(required(given, 'vault'))
  const usdt = evmAddress(required(given, 'usdt'))
  return readVault(createEvmClient({ url: given.bsc }), { vault, usdt, day })
}

type Told = Pick<Sentence, 'isGood' | 'text'>

function sayOtherwise(lines: readonly string[]): void {
  say('\nIf the operator lied, something else would be seen:')
  for (const line of new Set(lines)) say(`  - ${line}`)
}

function told<S extends Told>(sentences: S[]): S[] {
  for (const { isGood, text } of sentences) say(`  ${isGood ? '✔' : '✘ NOT SO:'} ${text}`)
  return sentences
}

function required(given: Given, name: 'tron' | 'staking' | 'plans' | 'vault' | 'usdt'): string {
  const value = given[name]
  if (value === undefined) throw new Error(`--${name} is missing`)
  return value
}

function tronAddress(text: string): Hex {
  const bytes = parseTronAddress(text)
  if (bytes === undefined) throw new Error(`not a Tron address: ${text}`)
  return bytesToHex(bytes)
}

function evmAddress(text: string): Hex {
  const bytes = parseEvmAddress(text)
  if (bytes === undefined) throw new Error(`not a BSC address: ${text}`)
  return bytesToHex(bytes)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const reason = error instanceof Error ? error.message : `${error}`
  process.stderr.write(`Not checked: ${reason}\n\n${USAGE}\n`)
  process.exitCode = 2
}
