import { existsSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './npm-package.ts'
import { assertPortFree, freePort } from './ports.ts'
import { type ReadyProcess, startUntilReady } from './ready-process.ts'
import { ServiceError } from './service-error.ts'

export type AnvilOptions = {
  chainId: number
  /** A folder for this chain only; scratch files go below it. */
  dir: string
  /** A free port by default. */
  port?: number
  /** Additional command-line flags. */
  args?: readonly string[]
  /** A state file to start from, as written from `anvil_dumpState`. */
  loadState?: string
}

export type Anvil = ReadyProcess & { url: string; port: number }

const CPU_NAMES: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' }

/**
 * Starts a local EVM chain on 127.0.0.1 that ends together with this process. Resolves once it is listening.
 * @throws ServiceError naming the port if it is taken, or with anvil's last lines if it does not start
 */
export async function startAnvil(options: AnvilOptions): Promise<Anvil> {
  const port = options.port ?? (await freePort())
  await assertPortFree(port)
  const scratch = join(options.dir, 'anvil-cache')
  // Old states left behind by a killed anvil are useless to the next one, and would accumulate.
  rmSync(scratch, { recursive: true, force: true })
  mkdirSync(scratch, { recursive: true })

  const command = { command: anvilBinary(), args: anvilArgs({ ...options, port, scratch }) }
  const started = await startUntilReady(command, (line) => line.startsWith('Listening on '))
  if ('lastLines' in started) {
    throw new ServiceError(
      `anvil (chain ${options.chainId}) did not start on port ${port}:\n${started.lastLines}`,
    )
  }
  return { ...started, url: `http://127.0.0.1:${port}`, port }
}

function anvilArgs(options: AnvilOptions & { port: number; scratch: string }): string[] {
  const { chainId, port, scratch, loadState, args = [] } = options
  return [
    ...['--host', '127.0.0.1', '--port', `${port}`, '--chain-id', `${chainId}`],
    ...['--cache-path', scratch],
    ...(loadState === undefined ? [] : ['--load-state', loadState]),
    ...args,
  ]
}

function anvilBinary(): string {
  const name = `@foundry-rs/anvil-${process.platform}-${CPU_NAMES[process.arch] ?? process.arch}`
  const folder = packageFolder(name)
  const binary = folder && join(folder, 'bin', 'anvil')
  if (binary === undefined || !existsSync(binary)) {
    throw new ServiceError(
      `The development chain needs ${name}, which is not installed here: run npm ci.`,
    )
  }
  return binary
}
