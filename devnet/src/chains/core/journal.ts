import {
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import type { TronTransaction } from '../tron/transaction.ts'
import type { ChainName } from './evm-node.ts'

/** Everything that changes a chain, with all that it needs to happen again in the same way. */
export type Operation =
  | { op: 'clock'; offsetMs: number }
  | { op: 'mine'; chain: ChainName; timestamp: number }
  | { op: 'balance'; chain: ChainName; address: `0x${string}`; balance: `0x${string}` }
  | { op: 'bsc-transaction'; raw: `0x${string}` }
  | { op: 'tron-transaction'; transaction: TronTransaction; timestamp: number }

/** An operation as it stands in the journal, and whether it failed. */
export type JournalEntry = { operation: Operation; hasFailed: boolean }

type FailureLine = { failed: number }

/**
 * What happened since the last checkpoint, written down before it happens. Nothing that anybody has
 * seen on a chain is forgotten when all processes are killed.
 */
export type Journal = {
  /**
   * Writes down what is about to happen.
   * @returns to be called when it failed, so that it may fail again when it is replayed
   */
  append(operation: Operation): () => void
  /** Operations since the last `startNext`. */
  length(): number
  /** Further operations belong to the checkpoint `id`. */
  startNext(id: number): void
  /** Forgets what lies before the checkpoint `id`, once that is safely stored. */
  removeBefore(id: number): void
  close(): void
}

const NAME = /^journal-(\d+)\.ndjson$/

/** Starts the journal of the checkpoint `id`. */
export function openJournal(dir: string, id: number): Journal {
  let file = openSync(pathOf(dir, id), 'w')
  let length = 0
  return {
    append(operation) {
      const line = length
      write(file, operation)
      length += 1
      // Both happen under the chain's lock, so no other journal has begun in between.
      return () => {
        write(file, { failed: line })
        length += 1
      }
    },
    length: () => length,
    startNext(nextId) {
      closeSync(file)
      file = openSync(pathOf(dir, nextId), 'w')
      length = 0
    },
    removeBefore(firstKept) {
      for (const oldId of idsIn(dir)) {
        if (oldId < firstKept) rmSync(pathOf(dir, oldId))
      }
    },
    close: () => closeSync(file),
  }
}

/** All operations since the checkpoint `id`, in order. A last line that was cut off is left out. */
export function readJournals(dir: string, id: number): JournalEntry[] {
  return idsIn(dir)
    .filter((found) => found >= id)
    .flatMap((found) => readJournal(pathOf(dir, found)))
}

function readJournal(path: string): JournalEntry[] {
  const lines = readFileSync(path, 'utf8').split('\n').slice(0, -1)
  const parsed = lines.map((line) => JSON.parse(line) as Operation | FailureLine)
  const failed = new Set(parsed.flatMap((line) => ('failed' in line ? [line.failed] : [])))
  return parsed.flatMap((line, index) =>
    'failed' in line ? [] : [{ operation: line, hasFailed: failed.has(index) }],
  )
}

function write(file: number, line: Operation | FailureLine): void {
  writeSync(file, `${JSON.stringify(line)}\n`)
}

/** 0 where there is none. */
export function newestJournalId(dir: string): number {
  return idsIn(dir).at(-1) ?? 0
}

function idsIn(dir: string): number[] {
  if (!existsSync(dir)) return []
  const ids = readdirSync(dir).flatMap((name) => NAME.exec(name)?.[1] ?? [])
  return ids.map(Number).sort((a, b) => a - b)
}

function pathOf(dir: string, id: number): string {
  return join(dir, `journal-${id}.ndjson`)
}
