import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Figure } from './figures.ts'

const LATEST = join(import.meta.dirname, '../.cache/bench.json')
/** Runs that others are compared with, one file each, named by their time in UTC. */
const KEPT = join(import.meta.dirname, 'results')

export type Machine = { cpu: string; cores: number; memoryGb: number; node: string }
/** `change` compares the figure with the kept one; absent if there is none to compare with. */
export type Measured = Figure & { part: string; title: string; name: string; change?: Change }
export type Change = { kept: string; share: number; verdict: 'better' | 'worse' | 'same' }
export type Run = {
  at: string
  machine: Machine
  arguments: readonly string[]
  seconds: Readonly<Record<string, number>>
  figures: readonly Measured[]
}

/**
 * Prints a benchmark's figures as soon as they are known. Figures are kept and compared with earlier runs, texts are
 * not.
 */
export type Report = (title: string, figures: Readonly<Record<string, Figure | string>>) => void

/** Collects the figures of a run, and prints each next to the last one that was kept. */
export function createResults(now: Date, print: (line: string) => void = console.log) {
  const machine = thisMachine()
  const kept = readKept(machine)
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
        const change = changeOf(one, kept.get(keyOf({ part, title, name })))
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
      const before = performance.now()
      try {
        await work(reportFor(part))
      } catch (error) {
        failed.push(part)
        print(`\n${part} failed: ${error instanceof Error ? error.stack : error}`)
      }
      seconds[part] = Math.round((performance.now() - before) / 1_000)
    },
    /** Prints what changed beyond noise, and writes the run to a file; with `isKept` also to the repository. */
    finish({ args, isKept }: { args: readonly string[]; isKept: boolean }): void {
      const run: Run = { at: now.toISOString(), machine, arguments: args, seconds, figures }
      for (const line of summary(run)) print(line)
      write(LATEST, run)
      if (isKept) write(join(KEPT, `${run.at.slice(0, 16).replace(':', '')}.json`), run)
    },
  }
}

const NAME_WIDTH = 44
const TEXT_WIDTH = 14

function shown(change: Change | undefined): string {
  if (change === undefined) return ''
  const mark = change.verdict === 'same' ? '' : `  ${change.verdict.toUpperCase()}`
  return `   kept: ${change.kept}, ${percent(change.share)}${mark}`
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
    `${figures.length} figures, ${compared.length} compared with kept ones, ${changed.length} differ beyond noise`,
    ...changed.map(({ part, title, name, text, change }) =>
      change === undefined ? '' : `  ${part}: ${title}: ${name}: ${text}${shown(change)}`,
    ),
  ]
}

/** How a figure differs from the kept one. The change of a figure that was zero is infinite. */
export function changeOf(now: Figure, kept: Figure | undefined): Change | undefined {
  if (kept === undefined || !Number.isFinite(now.value) || !Number.isFinite(kept.value)) return
  const share = now.value === kept.value ? 0 : now.value / kept.value - 1
  // Either of the two runs may be the lucky one, so half as much and twice as much count as equally far apart.
  const distance = Math.max(now.value, kept.value) / Math.min(now.value, kept.value) - 1
  const isSame = now.value === kept.value || distance <= now.noise
  const isBetter = now.wanted === 'more' ? share > 0 : share < 0
  return { kept: kept.text, share, verdict: isSame ? 'same' : isBetter ? 'better' : 'worse' }
}

/**
 * The newest kept figure of each name. Figures that depend on the machine are left out unless they were measured on
 * this one.
 */
function readKept(machine: Machine): Map<string, Figure> {
  const files = existsSync(KEPT) ? readdirSync(KEPT).filter((file) => file.endsWith('.json')) : []
  const found = new Map<string, Figure>()
  for (const file of files.sort()) {
    const run = JSON.parse(readFileSync(join(KEPT, file), 'utf8')) as Run
    const isHere = run.machine.cpu === machine.cpu && run.machine.cores === machine.cores
    for (const one of run.figures) if (isHere || one.isRelative) found.set(keyOf(one), one)
  }
  return found
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
