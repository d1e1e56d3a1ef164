import { closeSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { BlockConditions } from '../tron/execute.ts'
import type { TronTransaction } from '../tron/transaction.ts'
import type { ChainName } from './evm-node.ts'

/** Everything that changes a chain, with all the data that a replay needs. */
export type Operation =
  | { op: 'clock'; offsetMs: number }
  | { op: 'mine'; chain: ChainName; timestamp: number }
  | { op: 'balance'; chain: ChainName; address: `0x${string}`; balance: `0x${string}` }
  | { op: 'bsc-transaction'; raw: `0x${string}` }
  | ({
      op: 'tron-block'
      transactions: readonly TronTransaction[]
      timestamp: number
    } & BlockConditions)

/** An operation from the journal, and whether it failed. */
export type JournalEntry = { operation: Operation; hasFailed: boolean }

type FailureLine = { failed: number }

/**
 * The operations since the last checkpoint, each written before it is applied. So even if all processes are killed,
 * nothing is lost that was visible on a chain.
 */
export type Journal = {
  /**
   * Writes an operation before it is applied.
   * @returns a function to call if the operation fails, so that its replay may fail too
   */
  append(operation: Operation): () => void
  /** The number of lines since the last `startNext`. */
  length(): number
  /** Begins the journal of the checkpoint `id`; further operations go there. */
  startNext(id: number): void
  /** Removes the journals before checkpoint `id`. Call it only once that checkpoint is safely stored. */
  removeBefore(id: number): void
  close(): void
}

const NAME = /^journal-(\d+)\.ndjson$/

/** Begins the journal of the checkpoint `id`. */
export function openJournal(dir: string, id: number): Journal {
  let file = openSync(pathOf(dir, id), 'w')
  let length = 0
  return {
    append(operation) {
      const line = length
      write(file, operation)
      length += 1
      // The operation and this call run under the chain's lock, so no other journal has begun in between.
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

/** All operations since the checkpoint `id`, in order. Ignores a truncated last line. */
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

/** The id of the newest journal in the folder; 0 without any. */
export function newestJournalId(dir: string): number {
  return idsIn(dir).at(-1) ?? 0
}

function idsIn(dir: string): number[] {
  const ids = readdirSync(dir).flatMap((name) => NAME.exec(name)?.[1] ?? [])
  return ids.map(Number).sort((a, b) => a - b)
}

function pathOf(dir: string, id: number): string {
  return join(dir, `journal-${id}.ndjson`)
}
