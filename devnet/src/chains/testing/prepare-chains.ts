import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startChainHost } from '../chain-host.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder of chains with everything deployed, stopped at a checkpoint. Tests continue from copies of it. */
    preparedChains: string
  }
}

/** Deploys the contracts once per test run, which takes five times as long as starting from a checkpoint. */
export async function setup(project: TestProject): Promise<() => void> {
  const dir = mkdtempSync(join(tmpdir(), 'dct-prepared-chains-'))
  const remove = () => rmSync(dir, { recursive: true, force: true })
  try {
    const host = await startChainHost({ dir })
    await host.stop()
  } catch (error) {
    remove()
    throw error
  }
  project.provide('preparedChains', dir)
  return remove
}
