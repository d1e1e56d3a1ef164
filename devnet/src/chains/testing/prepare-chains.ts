import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startChainHost } from '../chain-host.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The folder of chains on which everything is deployed, stopped at a checkpoint. Tests continue from copies of it. */
    preparedChains: string
  }
}

/** Deploys the contracts once for the whole run: it takes five times as long as a start from a checkpoint. */
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
