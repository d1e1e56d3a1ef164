import { existsSync } from 'node:fs'
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TronRecord } from '../tron/records.ts'

/** Where the contracts are. Tron's addresses are `T…`. */
export type Deployment = {
  tron: { token: string; rewardPool: string; staking: string }
  bsc: { usdt: `0x${string}` }
}

/** Both chains, the gateway's transactions and the clock, as of one moment. */
export type Checkpoint = {
  version: 1
  /** Grows by one each time; journals carry the id of the checkpoint that they follow. */
  id: number
  offsetMs: number
  /** What each process dumped, to be loaded again. */
  states: { tron: `0x${string}`; bsc: `0x${string}` }
  records: TronRecord[]
  deployment?: Deployment
}

const FILE = 'checkpoint.json'

export function hasCheckpoint(dir: string): boolean {
  return existsSync(join(dir, FILE))
}

/** @returns undefined in a fresh folder */
export async function readCheckpoint(dir: string): Promise<Checkpoint | undefined> {
  const path = join(dir, FILE)
  if (!hasCheckpoint(dir)) return undefined
  const checkpoint = JSON.parse(await readFile(path, 'utf8')) as Checkpoint
  if (checkpoint.version !== 1) {
    throw new Error(`${path} was written by another version of the development chains.`)
  }
  return checkpoint
}

/** Replaces the stored checkpoint in one step: whatever happens, the old or the new one is whole. */
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
