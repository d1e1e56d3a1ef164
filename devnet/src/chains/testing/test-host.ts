import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, inject } from 'vitest'
import { type ChainHost, startChainHost } from '../chain-host.ts'

/** A temporary folder for a test file, removed after its last test. */
export function useTestFolder(): () => string {
  let dir = ''
  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'dct-chains-'))
  })
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  return () => dir
}

/** Starts development chains with everything deployed in an empty folder. */
export function startPreparedChains(dir: string, realMs?: () => number): Promise<ChainHost> {
  cpSync(inject('preparedChains'), dir, { recursive: true })
  return startChainHost({ dir, realMs })
}

/**
 * Development chains shared by all tests of a file.
 * @param realMs for tests that set this process's clock wrong
 */
export function useChainHost(realMs?: () => number): () => ChainHost {
  const folder = useTestFolder()
  let host: ChainHost | undefined
  beforeAll(async () => {
    host = await startPreparedChains(folder(), realMs)
  })
  afterAll(() => host?.stop())
  return () => {
    if (!host) throw new Error('the chains have not started')
    return host
  }
}
