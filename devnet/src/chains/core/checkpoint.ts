import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TronRecord } from '../tron/records.ts'

/** The addresses of the contracts. Those on Tron are in `T…` form. */
export type Deployment = {
  tron: { token: string; rewardPool: string; staking: string }
  bsc: { usdt: `0x${string}`; payoutVault: `0x${string}` }
}

/** A consistent snapshot of both chains, the gateway's transactions and the clock. */
export type Checkpoint = {
  version: 3
  /** Increases with each checkpoint. A journal has the id of the checkpoint that it follows. */
  id: number
  offsetMs: number
  /** The dumped state of each process. */
  states: { tron: `0x${string}`; bsc: `0x${string}` }
  records: TronRecord[]
  deployment?: Deployment
}

const FILE = 'checkpoint.json'

export function hasCheckpoint(dir: string): boolean {
  return existsSync(join(dir, FILE))
}

/** @returns undefined in an empty folder */
export async function readCheckpoint(dir: string): Promise<Checkpoint | undefined> {
  const path = join(dir, FILE)
  if (!hasCheckpoint(dir)) return undefined
  const checkpoint = JSON.parse(await readFile(path, 'utf8')) as Checkpoint
  if (checkpoint.version !== 3) {
    throw new Error(`${path} was written by another version of the development chains.`)
  }
  return checkpoint
}

/** Replaces the stored checkpoint atomically: a crash leaves either the old or the new one intact. */
export async function writeCheckpoint(dir: string, text: string): Promise<void> {
  const path = join(dir, FILE)
  const unfinished = `${path}.tmp`
  const file = await open(unfinished, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(unfinished, path)
  const folder = await open(dir, 'r')
  await folder.sync().finally(() => folder.close())
}
