import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figures.ts'

/** The newest figures of this clone, with which the next run is compared. */
const FILE = join(import.meta.dirname, '../.cache/bench.json')

export type Machine = { cpu: string; cores: number; memoryGb: number; node: string }
/** `change` compares the figure with the one before; absent if there is none to compare with. */
export type Measured = Figure & { part: string; title: string; name: string; change?: Change }
export type Change = { before: string; share: number; verdict: 'better' | 'worse' | 'same' }
export type Run = {
  at: string
  machine: Machine
  arguments: readonly string[]
  seconds: Readonly<Record<string, number>>
  figures: readonly Measured[]
}

/**
 * Prints a benchmark's figures as soon as they are known. Figures are stored and compared with later ones, texts are
 * not.
 */
export type Report = (title: string, figures: Readonly<Record<string, Figure | string>>) => void

/** Collects the figures of a run, and prints each next to the one that was measured before. */
export function createResults(
  now: Date,
  { print = console.log, file = FILE }: { print?: (line: string) => void; file?: string } = {},
) {
  const machine = thisMachine()
  const before = readBefore(file, machine)
  const figures: Measured[] = []
  const seconds: Record<string, number> = {}
  const failed: string[] = []

  function reportFor(part: string): Report {
    return (title, found) => {
      print(`\n${title}`)
      for (const [name, one] of Object.entries(found)) {
        if (typeof one === 'string') {
          print(`  ${name.padEnd(NAME_WIDTH)} ${one.padStart(TEXT_WIDTH)}`)
          continue
        }
        const change = changeOf(one, before.get(keyOf({ part, title, name })))
        const measured = { part, title, name, ...one, ...(change && { change }) }
        figures.push(measured)
        print(`  ${name.padEnd(NAME_WIDTH)} ${one.text.padStart(TEXT_WIDTH)}${shown(change)}`)
      }
    }
  }

  return {
    /** The parts that failed. */
    failed,
    /**
     * Runs a part with its report, and records how long it takes. A part that fails does not affect the figures of the
     * others.
     */
    async run(part: string, work: (report: Report) => Promise<void>): Promise<void> {
      const began = performance.now()
      try {
        await work(reportFor(part))
      } catch (error) {
        failed.push(part)
        print(`\n${part} failed: ${error instanceof Error ? error.stack : error}`)
      }
      seconds[part] = Math.round((performance.now() - began) / 1_000)
    },
    /** Prints what changed beyond noise, and stores the figures, also those of before that this run did not measure. */
    finish(args: readonly string[]): void {
      const run: Run = { at: now.toISOString(), machine, arguments: args, seconds, figures }
      for (const line of summary(run)) print(line)
      const isNew = new Set(figures.map(keyOf))
      const others = [...before.values()].filter((one) => !isNew.has(keyOf(one)))
      write(file, { ...run, figures: [...others, ...figures] })
    },
  }
}

const NAME_WIDTH = 44
const TEXT_WIDTH = 14

function shown(change: Change | undefined): string {
  if (change === undefined) return ''
  const mark = change.verdict === 'same' ? '' : `  ${change.verdict.toUpperCase()}`
  return `   before: ${change.before}, ${percent(change.share)}${mark}`
}

const percent = (share: number) => `${share >= 0 ? '+' : ''}${(share * 100).toFixed(0)} %`

function summary({ figures, machine, seconds }: Run): string[] {
  const { cpu, cores, memoryGb, node } = machine
  const compared = figures.filter(({ change }) => change !== undefined)
  const changed = compared.filter(({ change }) => change?.verdict !== 'same')
  const took = Object.entries(seconds).map(([part, time]) => `${part} ${time}`)
  const total = Object.values(seconds).reduce((sum, one) => sum + one, 0)
  return [
    `\n${cores} cores of ${cpu}, ${memoryGb} GB, Node ${node}`,
    `${total} seconds: ${took.join(', ')}`,
    `${figures.length} figures, ${compared.length} compared with earlier ones, ${changed.length} differ beyond noise`,
    ...changed.map(({ part, title, name, text, change }) =>
      change === undefined ? '' : `  ${part}: ${title}: ${name}: ${text}${shown(change)}`,
    ),
  ]
}

/** How a figure differs from the one before. The change of a figure that was zero is infinite. */
export function changeOf(now: Figure, before: Figure | undefined): Change | undefined {
  if (before === undefined || !Number.isFinite(now.value) || !Number.isFinite(before.value)) return
  const share = now.value === before.value ? 0 : now.value / before.value - 1
  // Either of the two runs may be the lucky one, so half as much and twice as much count as equally far apart.
  const distance = Math.max(now.value, before.value) / Math.min(now.value, before.value) - 1
  const isSame = now.value === before.value || distance <= now.noise
  const isBetter = now.wanted === 'more' ? share > 0 : share < 0
  return { before: before.text, share, verdict: isSame ? 'same' : isBetter ? 'better' : 'worse' }
}

/** The figures of before. Those that depend on the machine are left out unless they were measured on this one. */
function readBefore(file: string, machine: Machine): Map<string, Measured> {
  if (!existsSync(file)) return new Map()
  const run = JSON.parse(readFileSync(file, 'utf8')) as Run
  const isHere = run.machine.cpu === machine.cpu && run.machine.cores === machine.cores
  const comparable = run.figures.filter((one) => isHere || one.isRelative)
  return new Map(comparable.map((one) => [keyOf(one), one]))
}

const keyOf = ({ part, title, name }: Pick<Measured, 'part' | 'title' | 'name'>) =>
  JSON.stringify([part, title, name])

function thisMachine(): Machine {
  const [cpu] = cpus()
  return {
    cpu: cpu?.model ?? 'unknown',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  }
}

function write(file: string, run: Run): void {
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `${JSON.stringify(run, null, 1)}\n`)
}
